// SPDX-License-Identifier: MIT

import Foundation

/// Ends the process when a test hangs, naming the test: a deadlock is a failure, not a wait.
public final class Watchdog: @unchecked Sendable {
  // SAFETY: `isStopped` is only touched with the condition locked.
  private let condition = NSCondition()
  private var isStopped = false

  /// Far more than any test takes, on a busy machine and under a sanitizer.
  private static let patience: TimeInterval = 300

  public init(guarding test: String) {
    Thread.detachNewThread { [self] in
      let deadline = Date(timeIntervalSinceNow: Self.patience)
      condition.withLock {
        while !isStopped {
          if !condition.wait(until: deadline), !isStopped { fatalError("\(test) hangs") }
        }
      }
    }
  }

  public func stop() {
    condition.withLock {
      isStopped = true
      condition.signal()
    }
  }
}
