// SPDX-License-Identifier: MIT

package import SQLite

/// Connections to the database: one connection writes, and the rest read.
///
/// SQLite lets one connection write at a time. Waiting for it here is fair and wakes at once;
/// SQLite itself would sleep and try again.
package final class ConnectionPool: Sendable {
  private let readers: Loans<Connection>
  private let writer: Loans<Connection>

  /// Opens the connections at once, and brings the tables up to date.
  package nonisolated(nonsending) static func open(
    settings: StorageSettings, migrations: [Migration], log: any Log
  ) async throws -> ConnectionPool {
    // The first one makes the file.
    let writer = try Connection(path: settings.path, durability: settings.durability)
    try Migration.apply(migrations, to: writer, log: log)
    let readers = try await withThrowingTaskGroup(of: Connection.self) { opening in
      for _ in 0..<settings.readers {
        opening.addTask {
          try Connection(path: settings.path, durability: settings.durability)
        }
      }
      return try await opening.reduce(into: []) { $0.append($1) }
    }
    return ConnectionPool(readers: readers, writer: writer)
  }

  private init(readers: [Connection], writer: Connection) {
    self.readers = Loans(readers)
    self.writer = Loans([writer])
  }

  package func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    let connection = try readers.take()
    defer { readers.giveBack(connection) }
    return try body(connection)
  }

  /// Begins a transaction. The caller ends it with ``end(_:with:)``.
  func begin() throws -> Connection {
    let connection = try writer.take()
    do { try connection.run("BEGIN IMMEDIATE") } catch {
      writer.giveBack(connection)
      if let error = error as? SQLiteError, error.isBusy { throw StorageError.busy }
      throw error
    }
    return connection
  }

  func end(_ connection: Connection, committing: Bool) throws {
    defer { writer.giveBack(connection) }
    do { if committing { try connection.run("COMMIT") } } catch {
      try? rollBack(connection)
      throw error
    }
    if !committing { try rollBack(connection) }
  }

  private func rollBack(_ connection: Connection) throws {
    // SQLite itself has rolled back after some errors, such as a full disk.
    if connection.isInTransaction { try connection.run("ROLLBACK") }
  }

  /// Writes in a transaction of its own.
  package func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    let connection = try begin()
    let result: Result
    do { result = try body(connection) } catch {
      try? end(connection, committing: false)
      throw error
    }
    try end(connection, committing: true)
    return result
  }

  /// Moves the write-ahead log into the file, so that no other file is left.
  package func close() throws {
    let connection = try writer.take()
    defer { writer.giveBack(connection) }
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
