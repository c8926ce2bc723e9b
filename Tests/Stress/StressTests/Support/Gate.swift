// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// An event that threads wait for, to order what they do without clocks.
final class Gate: @unchecked Sendable {
  // SAFETY: `isOpen` is only touched with the condition locked.
  private let condition = NSCondition()
  private var isOpen = false

  func open() {
    condition.withLock {
      isOpen = true
      condition.broadcast()
    }
  }

  /// Ends the process after ``hangLimit``: the threads of the test would stay, and make other tests
  /// fail.
  func wait(file: StaticString = #filePath, line: UInt = #line) {
    let deadline = Date(timeIntervalSinceNow: hangLimit.inSeconds)
    condition.withLock {
      while !isOpen {
        if !condition.wait(until: deadline), !isOpen {
          RunningTests.end(because: "what a thread waits for does not come", file, line)
        }
      }
    }
  }
}
