// SPDX-License-Identifier: MIT

import AstrojectDialect
import TestSupport
import XCTest

/// Names of Astroject for what Corinth calls otherwise.
final class NameTests: ContainerTestCase {
  func testPrototypeIsAnotherWordForTransient() {
    XCTAssertEqual(Scope<Int>.prototype, .transient)
    XCTAssertNotEqual(Scope<Int>.prototype, .singleton)
  }

  func testClearRemovesAllRegistrationsWithTheirInstances() throws {
    let tracker = LifetimeTracker()
    try container.register(Tracked.self) { _ in tracker.make() }.asSingleton()
    try container.register(Int.self) { _ in 1 }
    _ = try container.resolve(Tracked.self)
    container.clear()
    XCTAssertEqual(tracker.alive, 0)
    XCTAssertTrue(container.registrations.isEmpty)
  }
}
