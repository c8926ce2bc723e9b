// SPDX-License-Identifier: MIT

import XCTest

@testable import Corinth

final class VersionClockTests: XCTestCase {
  func testAForkReadsWhatWasBeforeItAndNothingLater() {
    for _ in 0..<10 {
      let before = VersionClock.now
      let fork = VersionClock.pass()
      XCTAssertLessThanOrEqual(before, fork)
      // Without a change in between, too.
      let other = VersionClock.pass()
      XCTAssertLessThanOrEqual(before, other)
      XCTAssertLessThan(max(fork, other), VersionClock.now)
    }
  }
}
