// SPDX-License-Identifier: MIT

import Synchronization

/// How many of each article are left.
final class Inventory: Sendable {
  private let left = Mutex(["book": 100, "atlas": 100, "pen": 1])

  func take(_ article: String) throws {
    try left.withLock { left in
      guard let count = left[article], count > 0 else { throw OrderError.soldOut(article) }
      left[article] = count - 1
    }
  }

  func giveBack(_ article: String) { left.withLock { $0[article, default: 0] += 1 } }
}
