// SPDX-License-Identifier: MIT

import CSQLite

/// A prepared statement.
@safe final class Statement {
  private let sql: String
  private let handle: OpaquePointer

  init(_ sql: String, _ connection: OpaquePointer) throws {
    var handle: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard let prepared = unsafe handle, code == SQLITE_OK else {
      throw unsafe SQLiteError(
        code: code, message: String(cString: sqlite3_errmsg(connection)), subject: sql)
    }
    self.sql = sql
    unsafe self.handle = prepared
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Runs the statement with the values, and makes a result of every row.
  func run<Result>(_ values: [Value], _ read: (borrowing Row) throws -> Result) throws -> [Result] {
    let count = Int(unsafe sqlite3_bind_parameter_count(handle))
    guard values.count == count else {
      // SQLite takes NULL for a value that is missing.
      throw SQLiteError(
        code: SQLITE_RANGE, message: "\(values.count) values for \(count) parameters", subject: sql)
    }
    defer {
      // A statement that is not reset holds the read transaction open.
      unsafe sqlite3_reset(handle)
      unsafe sqlite3_clear_bindings(handle)
    }
    for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
    var results: [Result] = []
    while true {
      switch unsafe sqlite3_step(handle) {
      case SQLITE_ROW: results.append(try read(unsafe Row(statement: handle)))
      case SQLITE_DONE: return results
      case let code: throw error(code)
      }
    }
  }

  private func bind(_ value: Value, at index: Int32) throws {
    let code =
      switch value {
      case .integer(let number): unsafe sqlite3_bind_int64(handle, index, Int64(number))
      case .text(let text):
        unsafe csqlite_bind_text(handle, index, text, Int32(text.utf8.count))
      }
    if code != SQLITE_OK { throw error(code) }
  }

  private func error(_ code: Int32) -> SQLiteError {
    unsafe SQLiteError(
      code: code, message: String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))), subject: sql)
  }
}

/// A row of a query, as long as it is read.
@safe public struct Row: ~Copyable {
  private let statement: OpaquePointer

  init(statement: OpaquePointer) {
    unsafe self.statement = statement
  }

  /// The number in a column, counted from 0.
  public func integer(_ column: Int32) -> Int {
    Int(unsafe sqlite3_column_int64(statement, column))
  }

  /// The text in a column, counted from 0. That of NULL is empty.
  public func text(_ column: Int32) -> String {
    unsafe sqlite3_column_text(statement, column).map { unsafe String(cString: $0) } ?? ""
  }
}
