// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class ModifierTests: ContainerTestCase {
  private let tracker = LifetimeTracker()

  @discardableResult
  private func register() throws -> Registration<Tracked> {
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }
  }

  private func isShared() throws -> Bool {
    let first = try container.resolve(Tracked.self)
    return try container.resolve(Tracked.self) === first
  }

  func testEachModifierSetsItsScope() throws {
    let registration = try register()
    XCTAssertFalse(try isShared())
    registration.as(.singleton)
    XCTAssertTrue(try isShared())
    XCTAssertEqual(tracker.alive, 1)
    registration.as(.weak)
    XCTAssertTrue(try isShared())
    XCTAssertEqual(tracker.left, 0)
    registration.as(.transient)
    XCTAssertFalse(try isShared())
  }

  func testTheLastOfSeveralModifiersCounts() throws {
    try register().as(.singleton).as(.transient)
    XCTAssertFalse(try isShared())
    try register().as(.weak).as(.transient).as(.singleton)
    XCTAssertTrue(try isShared())
    XCTAssertEqual(tracker.alive, 1)
  }

  func testAModifierAppliedTwiceStartsWithoutAnInstance() throws {
    let registration = try register()
    registration.as(.singleton)
    let first = try container.resolve(Tracked.self)
    registration.as(.singleton)
    let second = try container.resolve(Tracked.self)
    XCTAssertFalse(first === second)
    XCTAssertTrue(try container.resolve(Tracked.self) === second)
  }

  func testAModifierDoesNothingAfterAnOverride() throws {
    let overridden = try register()
    try register()
    overridden.as(.singleton)
    XCTAssertFalse(try isShared())
    overridden.as(.weak)
    XCTAssertFalse(try isShared())
  }

  func testAModifierDoesNotTakeTheInstanceOfItsOverride() throws {
    let overridden = try register()
    try register().as(.singleton)
    let kept = try container.resolve(Tracked.self)
    overridden.as(.transient)
    XCTAssertTrue(try container.resolve(Tracked.self) === kept)
  }

  func testAModifierDoesNothingAfterUnregister() throws {
    let removed = try register()
    container.unregister(Tracked.self)
    removed.as(.singleton)
    XCTAssertFalse(container.contains(Tracked.self))
  }

  func testAModifierWorksOnANonOverridableRegistrationAndKeepsItSo() throws {
    try container.register(Tracked.self, onDuplicate: .refuse) { [tracker] _ in tracker.make() }
      .as(.singleton)
    XCTAssertTrue(try isShared())
    XCTAssertThrowsError(try register())
  }

  func testAModifierReturnsTheSameRegistration() throws {
    let registration = try container.register(Motor.self, name: "a") { _ in Motor() }
    let modified = registration.as(.unchecked(.weak)).as(.unchecked(.singleton)).as(.transient)
    XCTAssertEqual(modified.key, registration.key)
    XCTAssertEqual(modified.location, registration.location)
    XCTAssertTrue(modified.container === container)
  }

  func testModifiersApplyToTheirNameOnly() throws {
    try register()
    try container.register(Tracked.self, name: "a") { [tracker] _ in tracker.make() }.as(.singleton)
    XCTAssertFalse(try isShared())
    XCTAssertTrue(
      try container.resolve(Tracked.self, name: "a")
        === container.resolve(Tracked.self, name: "a"))
  }

  func testAModifierWithinTheFactoryAppliesToTheNextResolve() throws {
    let held = Locked<Registration<Tracked>?>(nil)
    let registration = try container.register(Tracked.self) { [tracker] _ in
      held.withLock { $0 }?.as(.singleton)
      return tracker.make()
    }
    held.withLock { $0 = registration }
    XCTAssertEqual(try container.resolve(Tracked.self).serial, 1)
    XCTAssertEqual(try container.resolve(Tracked.self).serial, 2)
    held.withLock { $0 = nil }
  }
}
