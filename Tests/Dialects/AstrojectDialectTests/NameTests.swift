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

  func testARegistrationIsFoundUnderItsNameOnly() throws {
    try container.register(Int.self, name: "port") { _ in 80 }
    XCTAssertTrue(container.isRegistered(Int.self, with: "port"))
    XCTAssertFalse(container.isRegistered(Int.self, with: nil))
    XCTAssertFalse(container.isRegistered(Int.self, with: "Port"))
  }

  func testTheErrorOfAnInstanceHasItsCase() {
    let error: any Error = InstanceError.noInstance
    XCTAssertEqual(error as? InstanceError, .noInstance)
  }

  func testClearRemovesAllRegistrationsWithTheirInstances() throws {
    let tracker = LifetimeTracker()
    try container.register(Tracked.self) { _ in tracker.make() }.asSingleton()
    try container.register(Int.self) { _ in 1 }
    _ = try container.resolve(Tracked.self)
    container.clear()
    XCTAssertEqual(tracker.left, 0)
    XCTAssertTrue(container.registrations.isEmpty)
  }
}
