// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import XCTest

/// What ends a test that hangs.
final class RunningTestsTests: XCTestCase {
  /// In the environment of the process that is to hang.
  private static let isToHang = "CORINTH_TEST_HANGS"

  /// One that stayed made others fail, beside its threads, and the run did not say which was first.
  func testATestThatHangsEndsTheProcessWithItsName() {
    guard ProcessInfo.processInfo.environment[Self.isToHang] == nil else {
      while true { Thread.sleep(forTimeInterval: 3_600) }
    }
    let test = "CorinthTests." + name.replacingOccurrences(of: ".", with: "/")
    let run = ChildRun(
      .this, [test], limit: hangLimit.inSeconds, showsCrash: true,
      // The stack of a program under ThreadSanitizer takes minutes to print.
      variables: [
        Self.isToHang: "yes", "CORINTH_HANG_LIMIT": "0.1", "SWIFT_BACKTRACE": "enable=no",
      ])
    XCTAssertTrue(run.describe().contains("the test hangs, in \(name)"), run.describe())
    XCTAssertNotEqual(run.status, 0)
  }
}
