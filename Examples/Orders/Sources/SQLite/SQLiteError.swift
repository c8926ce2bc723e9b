// SPDX-License-Identifier: MIT

import CSQLite

/// SQLite has refused something.
public struct SQLiteError: Error, Equatable, CustomStringConvertible {
  /// The result code of SQLite.
  public let code: Int32
  /// SQLite's message.
  public let message: String
  /// The statement, or the file.
  public let subject: String

  public var description: String { "SQLite: \(message) (\(code)) in: \(subject)" }

  /// Whether another connection has kept the database locked for too long.
  public var isBusy: Bool { code & 0xFF == SQLITE_BUSY }
}
