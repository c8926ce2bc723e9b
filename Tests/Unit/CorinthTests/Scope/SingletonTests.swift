// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class SingletonTests: ContainerTestCase {
  private let tracker = LifetimeTracker()

  func testTheFactoryRunsAtTheFirstResolveAndOnce() throws {
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }.as(.singleton)
    XCTAssertEqual(tracker.created, 0)
    let first = try container.resolve(Tracked.self)
    for _ in 0..<10 { XCTAssertTrue(try container.resolve(Tracked.self) === first) }
    XCTAssertEqual(tracker.created, 1)
  }

  func testEveryWayToResolveSharesTheInstance() throws {
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }.as(.singleton)
    let provider = try container.provider(for: Tracked.self)
    XCTAssertEqual(try provider().serial, 1)
    XCTAssertEqual(try container.resolve(Tracked.self).serial, 1)
    XCTAssertEqual(try container.resolveIfRegistered(Tracked.self)?.serial, 1)
    XCTAssertEqual(try container.withResolved(Tracked.self) { $0.serial }, 1)
  }

  func testNamesHaveInstancesOfTheirOwn() throws {
    for name: Name? in [nil, "a", "b"] {
      try container.register(Tracked.self, name: name, scope: .singleton) { [tracker] _ in
        tracker.make()
      }
    }
    let instances = [
      try container.resolve(Tracked.self), try container.resolve(Tracked.self, name: "a"),
      try container.resolve(Tracked.self, name: "b"),
    ]
    XCTAssertEqual(instances.map(\.serial), [1, 2, 3])
    XCTAssertTrue(try container.resolve(Tracked.self, name: "a") === instances[1])
  }

  func testAFactoryThatThrowsIsTriedAgain() throws {
    let attempts = AtomicCounter()
    try container.register(Int.self) { _ in
      guard attempts.add() > 2 else { throw FixtureError("attempt \(attempts.value)") }
      return attempts.value
    }.as(.singleton)
    for attempt in 1...2 {
      XCTAssertThrowsError(try container.resolve(Int.self)) { error in
        XCTAssertEqual(
          (error as? ResolutionError)?.underlyingError as? FixtureError,
          FixtureError("attempt \(attempt)"))
      }
    }
    XCTAssertEqual(try container.resolve(Int.self), 3)
    XCTAssertEqual(try container.resolve(Int.self), 3)
    XCTAssertEqual(attempts.value, 3)
  }

  func testAMissingDependencyIsFoundAfterItWasRegistered() throws {
    try container.register(String.self) { "\(try $0.resolve(Int.self))" }.as(.singleton)
    XCTAssertThrowsError(try container.resolve(String.self))
    try container.register(Int.self) { _ in 1 }
    XCTAssertEqual(try container.resolve(String.self), "1")
  }

  func testThreadsThatComeTogetherShareOneInstance() throws {
    try container.register(Tracked.self) { [tracker] _ in
      Thread.sleep(forTimeInterval: 0.01)
      return tracker.make()
    }.as(.singleton)
    let serials = try onThreads(4) { [container] _ in
      try container.resolve(Tracked.self).serial
    }
    XCTAssertEqual(serials, [1, 1, 1, 1])
  }

  func testAnInstanceBuiltWhileItIsOverriddenServesTheCallerOnly() throws {
    try container.register(Tracked.self) { [tracker] resolver in
      try resolver.container.register(Tracked.self) { [tracker] _ in tracker.make() }.as(.singleton)
      return tracker.make()
    }.as(.singleton)
    XCTAssertEqual(try container.resolve(Tracked.self).serial, 1)
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
    XCTAssertEqual(try container.resolve(Tracked.self).serial, 2)
    XCTAssertEqual(try container.resolve(Tracked.self).serial, 2)
  }
}
