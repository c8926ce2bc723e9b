// SPDX-License-Identifier: MIT

package import SQLite
import Synchronization

/// The changes of one request, in a single transaction, which begins with the first change.
package final class UnitOfWork: Sendable {
  private let pool: ConnectionPool
  private let counters: StorageCounters
  private let state = Mutex(State.notBegun)

  private enum State {
    case notBegun
    case open(Connection)
    case ended
  }

  package init(pool: ConnectionPool, counters: StorageCounters) {
    self.pool = pool
    self.counters = counters
  }

  /// Reads and writes within the transaction.
  ///
  /// - Throws: ``StorageError/ended`` after a commit or a rollback: another transaction would never
  ///   end.
  package func perform<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try state.withLock { state in
      switch state {
      case .notBegun:
        let connection = try pool.begin()
        state = .open(connection)
        return try body(connection)
      case .open(let connection): return try body(connection)
      case .ended: throw StorageError.ended
      }
    }
  }

  /// Keeps the changes, if there are any.
  package func commit() throws {
    guard let connection = takeConnection() else { return }
    try pool.end(connection, committing: true)
    counters.commits.add()
  }

  /// Drops the changes, if there are any.
  package func rollBack() throws {
    guard let connection = takeConnection() else { return }
    try pool.end(connection, committing: false)
    counters.rollbacks.add()
  }

  private func takeConnection() -> Connection? {
    state.withLock { state in
      defer { state = .ended }
      if case .open(let connection) = state { return connection }
      return nil
    }
  }
}

/// How transactions have ended.
package struct StorageCounters: Sendable {
  package let commits = Counter()
  package let rollbacks = Counter()

  package init() {}
}
