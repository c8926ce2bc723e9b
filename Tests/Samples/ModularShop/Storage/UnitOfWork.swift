// SPDX-License-Identifier: MIT

import Synchronization

/// The changes of one request, written together at its end.
final class UnitOfWork: Sendable {
  private let store: any RowStore
  private let changes = Mutex<[String: [String]]>([:])

  init(store: any RowStore) {
    self.store = store
  }

  func set(_ key: String, _ row: [String]) { changes.withLock { $0[key] = row } }

  func commit() throws { try store.write(changes.withLock { $0 }) }
}
