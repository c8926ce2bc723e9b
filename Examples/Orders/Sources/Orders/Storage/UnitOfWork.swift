// SPDX-License-Identifier: MIT

package import SQLite
import Synchronization

/// The changes of one request, in one transaction, which begins with the first of them.
package final class UnitOfWork: Sendable {
  private let pool: ConnectionPool
  private let counters: StorageCounters
  private let open = Mutex<Connection?>(nil)

  package init(pool: ConnectionPool, counters: StorageCounters) {
    self.pool = pool
    self.counters = counters
  }

  /// Reads and writes within the transaction.
  package func perform<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try open.withLock { open in
      let connection = try open ?? pool.begin()
      open = connection
      return try body(connection)
    }
  }

  /// Keeps the changes, if there are any.
  package func commit() throws {
    guard let connection = open.withLock({ $0.take() }) else { return }
    try pool.end(connection, committing: true)
    counters.commits.add()
  }

  /// Drops the changes, if there are any.
  package func rollBack() throws {
    guard let connection = open.withLock({ $0.take() }) else { return }
    try pool.end(connection, committing: false)
    counters.rollbacks.add()
  }
}

/// How transactions have ended.
package struct StorageCounters: Sendable {
  package let commits = Counter()
  package let rollbacks = Counter()

  package init() {}
}
