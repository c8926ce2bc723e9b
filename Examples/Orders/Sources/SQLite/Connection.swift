// SPDX-License-Identifier: MIT

import CSQLite

/// A connection to a database in a file, for one thread at a time: the owner ensures the rule.
///
/// ```swift
/// let connection = try Connection(path: "orders.db")
/// try connection.execute("CREATE TABLE item(name TEXT, price INTEGER)")
/// try connection.run("INSERT INTO item VALUES(?, ?)", "pen", .integer(300))
/// let prices = try connection.rows("SELECT price FROM item WHERE name = ?", "pen") { row in
///   row.integer(0)
/// }
/// ```
// SAFETY: a connection may wander between threads. The contract above says that two threads do not
// use a connection at once: a lock in each call would not help, as the transaction belongs to the
// connection.
@safe public final class Connection: @unchecked Sendable {
  private let handle: OpaquePointer
  /// Preparing takes longer than most statements themselves.
  private var prepared: [String: Statement] = [:]

  /// Opens the file, or makes the file if it is missing.
  ///
  /// The file has a write-ahead log (WAL): readers and a writer do not wait for each other.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - durability: how far a commit waits.
  public init(path: String, durability: Durability = .full) throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = unsafe sqlite3_open_v2(path, &handle, flags, nil)
    guard let opened = unsafe handle, code == SQLITE_OK else {
      unsafe sqlite3_close_v2(handle)
      throw unsafe SQLiteError(
        code: code, message: String(cString: sqlite3_errstr(code)), subject: path)
    }
    unsafe self.handle = opened
    unsafe sqlite3_busy_timeout(opened, 5_000)
    // A database in memory or without a path has no log: every connection would have separate
    // tables.
    guard try rows("PRAGMA journal_mode = WAL", read: { $0.text(0) }) == ["wal"] else {
      throw SQLiteError(
        code: SQLITE_CANTOPEN, message: "there can be no write-ahead log", subject: path)
    }
    try execute("PRAGMA synchronous = \(durability.rawValue)")
    try execute("PRAGMA foreign_keys = ON")
  }

  deinit {
    prepared = [:]
    unsafe sqlite3_close_v2(handle)
  }

  /// The number of the row that was inserted last.
  public var lastRowID: Int { Int(unsafe sqlite3_last_insert_rowid(handle)) }

  /// How many rows the last statement has changed.
  public var changes: Int { Int(unsafe sqlite3_changes(handle)) }

  /// Whether a transaction has begun, and was neither committed nor rolled back.
  public var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// Runs statements, separated by semicolons, that are not kept.
  public func execute(_ sql: String) throws {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw error(code, sql) }
  }

  /// Runs a statement that returns no rows. The statement is prepared once, and kept.
  public func run(_ sql: String, _ values: Value...) throws {
    _ = try statement(sql).run(values) { _ in }
  }

  /// Runs a query, which is prepared once, and kept.
  ///
  /// - Parameter read: makes a result of a row. The closure must not run the same statement
  ///   again.
  /// - Returns: the results of `read` for each row.
  public func rows<Result>(
    _ sql: String, _ values: Value..., read: (borrowing Row) throws -> Result
  ) throws -> [Result] {
    try statement(sql).run(values, read)
  }

  /// The number in the first column of the first row of a query; nil if there is no row.
  public func integer(_ sql: String, _ values: Value...) throws -> Int? {
    try statement(sql).run(values) { $0.integer(0) }.first
  }

  private func statement(_ sql: String) throws -> Statement {
    if let statement = prepared[sql] { return statement }
    let statement = try unsafe Statement(sql, handle)
    prepared[sql] = statement
    return statement
  }

  private func error(_ code: Int32, _ subject: String) -> SQLiteError {
    unsafe SQLiteError(
      code: code, message: String(cString: sqlite3_errmsg(handle)), subject: subject)
  }
}

/// How far a commit waits.
public enum Durability: String, Sendable {
  /// For the disk: a commit survives a loss of power.
  case full = "FULL"
  /// For the operating system: a commit survives the end of the process.
  case normal = "NORMAL"
}
