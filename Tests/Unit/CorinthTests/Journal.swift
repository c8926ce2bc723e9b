// SPDX-License-Identifier: MIT

import Foundation

/// What was disposed of, in order.
final class Journal: @unchecked Sendable {
  // SAFETY: only touched with the lock held.
  private var storage: [String] = []
  private let lock = NSLock()

  var entries: [String] { lock.withLock { storage } }
  func write(_ entry: String) { lock.withLock { storage.append(entry) } }
}
