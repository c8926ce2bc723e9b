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

  /// The end comes while the other thread comes in, is inside, or goes out.
  func testNobodyIsInsideWhenTheLastOneLetsGo() throws {
    let counts = (0..<StressSize.scaled(5000)).map { _ in Visitors() }
    let wereReleased = try race(for: counts) { visitors, thread -> Bool in
      if thread == 0 {
        if visitors.count.close() { visitors.released.add() }
        return false
      }
      var wasReleased = false
      for _ in 0..<5 {
        if visitors.count.enter() {
          for _ in 0..<100 where visitors.released.value > 0 { wasReleased = true }
          // The threads may have but one core.
          sched_yield()
          if visitors.released.value > 0 { wasReleased = true }
        }
        visitors.leave()
      }
      return wasReleased
    }
    XCTAssertEqual(wereReleased.count { $0[1] }, 0, "released under a visitor")
    XCTAssertEqual(counts.count { $0.released.value == 0 }, 0, "never released")
  }
}
