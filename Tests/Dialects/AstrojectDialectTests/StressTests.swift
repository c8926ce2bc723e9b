// SPDX-License-Identifier: MIT

import AstrojectDialect
import TestSupport
import XCTest

final class StressTests: XCTestCase {
  func testCompositesBesideReleases() throws {
    let tracker = LifetimeTracker()
    let container = Container()
    try container.register(Tracked.self) { _ in tracker.make() }
      .as { Composite([Singleton(), Weak()]) }
    let rounds = StressSize.scaled(1_000)
    try onThreads(5) { thread in
      for round in 0..<rounds {
        if thread > 0 {
          XCTAssertGreaterThan(try container.resolve(Tracked.self).serial, 0)
        } else if round % 2 == 0 {
          container.release(Tracked.self)
        } else {
          container.releaseAll()
        }
      }
    }
    container.clear()
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }
}
