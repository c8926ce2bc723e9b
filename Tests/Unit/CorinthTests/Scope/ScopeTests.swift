// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class ScopeTests: XCTestCase {
  func testATransientIsBuiltForEachResolve() throws {
    let container = Container()
    let tracker = LifetimeTracker()
    try container.register(Tracked.self) { _ in tracker.make() }
    XCTAssertEqual(try container.resolve(Tracked.self).serial, 1)
    XCTAssertEqual(try container.resolve(Tracked.self).serial, 2)
    XCTAssertEqual(tracker.left, 0)
  }

  func testATransientOfASingletonIsBuiltOnceForIt() throws {
    let container = Container()
    let tracker = LifetimeTracker()
    try container.register(Tracked.self) { _ in tracker.make() }
    try container.register([Tracked].self) { resolver in
      [try resolver.resolve(Tracked.self), try resolver.resolve(Tracked.self)]
    }.as(.singleton)
    XCTAssertEqual(try container.resolve([Tracked].self).map(\.serial), [1, 2])
    XCTAssertEqual(try container.resolve([Tracked].self).map(\.serial), [1, 2])
    XCTAssertEqual(tracker.created, 2)
  }

  func testAScopeIsDescribedByItsName() {
    XCTAssertEqual(Scope<Int>.transient.description, "transient")
    XCTAssertEqual(Scope<Int>.singleton.description, "singleton")
    XCTAssertEqual(Scope<Int>.weak.description, "weak")
  }

  func testEqualScopesHashEqually() {
    XCTAssertEqual(Set([Scope<Int>.transient, .transient, .singleton, .weak]).count, 3)
  }

  func testRegistrationsWithoutAScopeHaveTheContainersDefault() throws {
    let container = Container(defaultScope: .singleton)
    XCTAssertEqual(container.defaultScope, .singleton)
    XCTAssertEqual(Container().defaultScope, .transient)
    let tracker = LifetimeTracker()
    try container.register(Tracked.self) { _ in tracker.make() }
    XCTAssert(try container.resolve(Tracked.self) === container.resolve(Tracked.self))
    try container.register(Tracked.self, name: "own", scope: .transient) { _ in tracker.make() }
    XCTAssert(
      try container.resolve(Tracked.self, name: "own")
        !== container.resolve(Tracked.self, name: "own"))
  }

  func testFactoriesWithArgumentsAreTransientWhateverTheDefault() throws {
    let container = Container(defaultScope: .singleton)
    try container.register(Motor.self) { (_, power: Int) in Motor(power: power) }
    XCTAssertEqual(try container.resolve(Motor.self, arguments: 1).power, 1)
    XCTAssertEqual(try container.resolve(Motor.self, arguments: 2).power, 2)
  }

  func testADefaultThatCannotServeAProductIsRefusedWhereItIsRegistered() throws {
    let container = Container(defaultScope: .weak)
    try container.register(Motor.self) { _ in Motor() }
    XCTAssertThrowsError(try container.register(Int.self) { _ in 1 }) {
      guard case .weakRequiresClass = $0 as? RegistrationError else { return XCTFail("\($0)") }
    }
    XCTAssertFalse(container.contains(Int.self))
  }
}
