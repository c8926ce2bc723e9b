// SPDX-License-Identifier: MIT

import Foundation

/// What happened, in order, for all threads.
public final class EventLog: @unchecked Sendable {
  // SAFETY: only touched with the lock held, which is one that ThreadSanitizer sees.
  private var storage: [String] = []
  private let lock = NSLock()

  public init() {}

  public func add(_ entry: String) {
    lock.withLock { storage.append(entry) }
  }

  public var entries: [String] { lock.withLock { storage } }
}
