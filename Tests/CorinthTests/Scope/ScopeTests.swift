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
    XCTAssertEqual(tracker.alive, 0)
  }

  func testATransientOfASingletonIsBuiltOnceForIt() throws {
    let container = Container()
    let tracker = LifetimeTracker()
    try container.register(Tracked.self) { _ in tracker.make() }
    try container.register([Tracked].self) { resolver in
      [try resolver.resolve(Tracked.self), try resolver.resolve(Tracked.self)]
    }.asSingleton()
    XCTAssertEqual(try container.resolve([Tracked].self).map(\.serial), [1, 2])
    XCTAssertEqual(try container.resolve([Tracked].self).map(\.serial), [1, 2])
    XCTAssertEqual(tracker.created, 2)
  }

  func testPrototypeIsAnotherWordForTransient() {
    XCTAssertEqual(Scope.prototype, .transient)
    XCTAssertNotEqual(Scope.prototype, .singleton)
  }

  func testAScopeIsDescribedByItsName() {
    XCTAssertEqual(Scope.transient.description, "transient")
    XCTAssertEqual(Scope.singleton.description, "singleton")
    XCTAssertEqual(Scope.weak.description, "weak")
  }

  func testEqualScopesHashEqually() {
    XCTAssertEqual(Set([Scope.transient, .prototype, .singleton, .weak]).count, 3)
  }
}
