// SPDX-License-Identifier: MIT

import Synchronization

/// Remembers rows.
final class RowCache: Sendable {
  private let rows = Mutex<[String: [String]]>([:])
  private let hitCount = Atomic(0)

  var hits: Int { hitCount.load(ordering: .relaxed) }

  func row(_ key: String, orLoad load: () throws -> [String]?) rethrows -> [String]? {
    if let row = rows.withLock({ $0[key] }) {
      hitCount.add(1, ordering: .relaxed)
      return row
    }
    let row = try load()
    if let row { rows.withLock { $0[key] = row } }
    return row
  }
}
