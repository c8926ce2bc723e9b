// SPDX-License-Identifier: MIT

import Corinth
import Synchronization

/// Rows of text under keys such as `users/1`.
package protocol RowStore: Sendable {
  func row(_ key: String) throws -> [String]?
  func rows(under prefix: String) throws -> [[String]]
  func write(_ rows: [String: [String]]) throws
}

final class MemoryRowStore: RowStore {
  private let pool: ConnectionPool
  private let table = Mutex<[String: [String]]>([:])

  init(pool: ConnectionPool) {
    self.pool = pool
  }

  func row(_ key: String) throws -> [String]? {
    try pool.withConnection { table.withLock { $0[key] } }
  }

  func rows(under prefix: String) throws -> [[String]] {
    try pool.withConnection {
      table.withLock { table in
        table.filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }.map(\.value)
      }
    }
  }

  func write(_ rows: [String: [String]]) throws {
    try pool.withConnection { table.withLock { $0.merge(rows) { $1 } } }
  }
}

/// The name of the store that keeps what is not needed every day.
enum Archive: NameMarker { static let name: Name = "archive" }
