// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

final class VisitorCountTests: XCTestCase {
  private final class Visitors: Sendable {
    let count = VisitorCount()
    let released = AtomicCounter()

    func leave() {
      if count.leave() { released.add() }
    }
  }

  private let visitors = Visitors()

  func testACountThatNobodyIsInIsClosedAtOnce() {
    XCTAssertTrue(visitors.count.enter())
    XCTAssertFalse(visitors.count.leave())
    XCTAssertTrue(visitors.count.close())
    XCTAssertFalse(visitors.count.enter())
  }

  func testTheLastVisitorOutHasToLetGo() {
    XCTAssertTrue(visitors.count.enter())
    XCTAssertTrue(visitors.count.enter())
    XCTAssertFalse(visitors.count.close())
    XCTAssertFalse(visitors.count.leave())
    XCTAssertFalse(visitors.count.enter())
    XCTAssertFalse(visitors.count.leave())
    XCTAssertTrue(visitors.count.leave())
  }

  func testVisitorsAreNeverInsideOfWhatHasBeenLetGo() throws {
    for _ in 0..<StressSize.scaled(300) {
      let visitors = Visitors()
      try onThreads(4) { index in
        for round in 0..<50 {
          if index == 0, round == 25, visitors.count.close() { visitors.released.add() }
          if visitors.count.enter() {
            // One who closes may release, and another who came in vain, or left last, again.
            XCTAssertEqual(visitors.released.value, 0)
          }
          visitors.leave()
        }
      }
      XCTAssertGreaterThan(visitors.released.value, 0)
    }
  }
}
