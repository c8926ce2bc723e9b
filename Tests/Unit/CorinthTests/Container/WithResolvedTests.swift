// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class WithResolvedTests: ContainerTestCase {
  func testASingletonIsLent() throws {
    try container.register(Motor.self) { _ in Motor(power: 2) }.as(.unchecked(.singleton))
    let first = try container.withResolved(Motor.self) { ObjectIdentifier($0) }
    let second = try container.withResolved(Motor.self) { ObjectIdentifier($0) }
    XCTAssertEqual(first, second)
    XCTAssertEqual(first, ObjectIdentifier(try container.resolve(Motor.self)))
  }

  func testATransientIsBuiltForEachBody() throws {
    let tracker = LifetimeTracker()
    try container.register(Tracked.self) { _ in tracker.make() }
    XCTAssertEqual(try container.withResolved(Tracked.self) { $0.serial }, 1)
    XCTAssertEqual(try container.withResolved(Tracked.self) { $0.serial }, 2)
    XCTAssertEqual(tracker.left, 0)
  }

  func testAWeakInstanceLivesThroughTheBody() throws {
    let tracker = LifetimeTracker()
    try container.register(Tracked.self) { _ in tracker.make() }.as(.weak)
    try container.withResolved(Tracked.self) { _ in XCTAssertEqual(tracker.alive, 1) }
    XCTAssertEqual(tracker.left, 0)
  }

  func testNamedInstancesAreLent() throws {
    let stored: Name = "a"
    try container.register(Int.self, name: "a") { _ in 1 }.as(.singleton)
    XCTAssertEqual(try container.withResolved(Int.self, name: stored) { $0 }, 1)
    XCTAssertEqual(try container.withResolved(Int.self, name: "a") { $0 }, 1)
    XCTAssertThrowsError(try container.withResolved(Int.self, name: "b") { $0 })
    XCTAssertThrowsError(try container.withResolved(Int.self) { $0 })
  }

  func testAThrowingBodyThrowsItsOwnErrorAndLeavesTheContainerUsable() throws {
    for scope in [AnyScope.singleton, .transient, .weak] {
      try container.register(Motor.self, scope: scope) { _ in Motor() }
      for _ in 0..<2 {
        XCTAssertThrowsError(
          try container.withResolved(Motor.self) { _ in throw FixtureError("body") }
        ) { XCTAssertEqual($0 as? FixtureError, FixtureError("body")) }
      }
      XCTAssertNoThrow(try container.resolve(Motor.self))
    }
  }

  func testTheBodyMayResolveAndRegister() throws {
    try container.register(Int.self) { _ in 1 }.as(.singleton)
    let sum = try container.withResolved(Int.self) { number in
      try container.register(Int.self, name: "b") { _ in 2 }
      return number + (try container.resolve(Int.self, name: "b"))
    }
    XCTAssertEqual(sum, 3)
  }

  func testALentInstanceOutlivesItsOverrideWithinTheBody() throws {
    let tracker = LifetimeTracker()
    try container.register(Tracked.self) { _ in tracker.make() }.as(.singleton)
    let serial = try container.withResolved(Tracked.self) { tracked in
      try container.register(Tracked.self) { _ in tracker.make() }
      XCTAssertEqual(tracker.alive, 1)
      return tracked.serial
    }
    XCTAssertEqual(serial, 1)
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }

  func testBodiesNestDeeply() throws {
    try container.register(Int.self) { _ in 1 }.as(.singleton)
    func nested(_ depth: Int) throws -> Int {
      guard depth > 0 else { return 0 }
      return try container.withResolved(Int.self) { try $0 + nested(depth - 1) }
    }
    XCTAssertEqual(try nested(100), 100)
  }
}
