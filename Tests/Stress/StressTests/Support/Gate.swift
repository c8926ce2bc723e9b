// SPDX-License-Identifier: MIT

import Foundation

/// An event that threads wait for, to order what they do without clocks.
final class Gate: @unchecked Sendable {
  // SAFETY: `isOpen` is only touched with the condition locked.
  private let condition = NSCondition()
  private var isOpen = false

  /// The event that was waited for did not come.
  struct TimedOut: Error {}

  /// After this long a wait has failed. Waits that succeed take milliseconds.
  private static let patience: TimeInterval = 60

  func open() {
    condition.withLock {
      isOpen = true
      condition.broadcast()
    }
  }

  func wait() throws {
    let deadline = Date(timeIntervalSinceNow: Self.patience)
    try condition.withLock {
      while !isOpen {
        if !condition.wait(until: deadline), !isOpen { throw TimedOut() }
      }
    }
  }
}
