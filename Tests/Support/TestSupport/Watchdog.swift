// SPDX-License-Identifier: MIT

import Foundation

/// Ends the process when a test, or a part of one, hangs, and names it: a deadlock is a failure,
/// not a wait, and threads that stay would make other tests fail.
///
/// Every test case has a watchdog, see ``RunningTests``.
public final class Watchdog: @unchecked Sendable {
  // SAFETY: `isStopped` is only touched with the condition locked.
  private let condition = NSCondition()
  private var isStopped = false

  /// - Parameter limit: by default more than an event has time that the test waits for, and reports
  ///   as missing. Holds on an idle machine: see ``slowness``.
  public init(guarding part: String, limit: Duration = hangLimit * 2) {
    // Does not go on while the machine sleeps.
    let begin = SuspendingClock.now
    Thread.detachNewThread { [self] in
      condition.withLock {
        while !isStopped {
          let left = SuspendingClock.now.duration(to: begin + limit * slowness)
          if left <= .zero { RunningTests.end(because: "\(part) hangs", #fileID, #line) }
          _ = condition.wait(until: Date(timeIntervalSinceNow: left.inSeconds))
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
