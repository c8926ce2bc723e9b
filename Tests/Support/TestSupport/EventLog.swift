// SPDX-License-Identifier: MIT

import Foundation

/// The events of all threads, in order.
public final class EventLog: @unchecked Sendable {
  // SAFETY: only touched with the lock held, and ThreadSanitizer sees the lock.
  private var storage: [String] = []
  private let lock = NSLock()

  public init() {}

  public func add(_ entry: String) {
    lock.withLock { storage.append(entry) }
  }

  public var entries: [String] { lock.withLock { storage } }
}
