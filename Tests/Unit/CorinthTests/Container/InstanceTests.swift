// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Instances that are built in advance, and let go of on demand.
final class InstanceTests: XCTestCase {
  private let tracker = LifetimeTracker()

  private func makeContainer(_ scope: AnyScope = .singleton) throws -> Container {
    let container = Container()
    let tracker = tracker
    try container.register(Tracked.self, scope: scope) { _ in tracker.make() }
    return container
  }

  // MARK: - Release

  func testAReleasedSingletonIsBuiltAnew() throws {
    let container = try makeContainer()
    let first = try container.resolve(Tracked.self)
    XCTAssert(container.release(Tracked.self))
    let second = try container.resolve(Tracked.self)
    XCTAssert(first !== second)
    XCTAssert(try container.resolve(Tracked.self) === second)
  }

  func testAReleasedInstanceGoesAwayAtOnce() throws {
    let container = try makeContainer()
    _ = try container.resolve(Tracked.self)
    XCTAssertEqual(tracker.alive, 1)
    container.release(Tracked.self)
    XCTAssertEqual(tracker.left, 0)
  }

  func testAReleasedWeakInstanceIsBuiltAnewThoughItIsAlive() throws {
    let container = try makeContainer(.weak)
    let first = try container.resolve(Tracked.self)
    XCTAssert(container.release(Tracked.self))
    XCTAssert(try container.resolve(Tracked.self) !== first)
  }

  func testThereIsNothingToReleaseBeforeTheFirstResolveOrOfATransient() throws {
    let container = try makeContainer()
    XCTAssertFalse(container.release(Tracked.self))
    XCTAssertFalse(container.release(Tracked.self, name: "other"))
    let transient = try makeContainer(.transient)
    _ = try transient.resolve(Tracked.self)
    XCTAssertFalse(transient.release(Tracked.self))
  }

  func testReleaseAllLetsGoOfEveryInstanceAndKeepsTheRegistrations() throws {
    let container = try makeContainer()
    let tracker = tracker
    try container.register(Tracked.self, name: "other", scope: .singleton) { _ in tracker.make() }
    _ = try container.resolve(Tracked.self)
    _ = try container.resolve(Tracked.self, name: "other")
    container.releaseAll()
    XCTAssertEqual(tracker.left, 0)
    XCTAssertEqual(try container.resolve(Tracked.self).serial, 3)
    XCTAssertEqual(try container.resolve(Tracked.self, name: "other").serial, 4)
  }

  func testAReleasedRegistrationCanStillBeModified() throws {
    let container = Container()
    let tracker = tracker
    let registration = try container.register(Tracked.self) { _ in tracker.make() }.as(.singleton)
    _ = try container.resolve(Tracked.self)
    container.release(Tracked.self)
    registration.as(.transient)
    XCTAssert(try container.resolve(Tracked.self) !== container.resolve(Tracked.self))
  }

  func testAnInstanceReleasedWhileItIsBuiltServesThoseWhoWaitedForIt() throws {
    let container = Container()
    let tracker = tracker
    try container.register(Tracked.self, scope: .singleton) { resolver in
      try resolver.container.release(Tracked.self)
      return tracker.make()
    }
    XCTAssertEqual(try container.resolve(Tracked.self).serial, 1)
    XCTAssertEqual(try container.resolve(Tracked.self).serial, 2)
  }

  // MARK: - Eager

  func testWarmUpBuildsEagerSingletonsInTheOrderOfTheirRegistration() throws {
    let container = Container()
    let built = AtomicCounter()
    try container.register(Int.self, name: "first") { _ in built.add() }.as(.singleton).eager()
    try container.register(Int.self, name: "lazy") { _ in built.add() }.as(.singleton)
    try container.register(Int.self, name: "second") { _ in built.add() }.as(.singleton).eager()
    try container.syncWarmUp()
    XCTAssertEqual(built.value, 2)
    XCTAssertEqual(try container.resolve(Int.self, name: "first"), 1)
    XCTAssertEqual(try container.resolve(Int.self, name: "second"), 2)
    try container.syncWarmUp()
    XCTAssertEqual(built.value, 2)
  }

  func testWarmUpReportsAllFailuresAndBuildsTheOthers() throws {
    let container = Container()
    for name in ["one", "two"] {
      try container.register(Int.self, name: Name(name)) { _ in throw FixtureError(name) }
        .as(.singleton).eager()
    }
    try container.register(Int.self) { _ in 3 }.as(.singleton).eager()
    XCTAssertThrowsError(try container.syncWarmUp()) { error in
      let failures = error.collectedFailures
      let reasons = failures?.map { ($0.underlyingError as? FixtureError)?.reason }
      XCTAssertEqual(reasons, ["one", "two"])
      XCTAssert("\(error)".hasPrefix("2 eager singletons could not be built.\n"), "\(error)")
    }
    XCTAssertEqual(try container.resolve(Int.self), 3)
  }

  func testAnOverrideIsEagerOnlyIfItSaysSo() throws {
    let container = Container()
    let built = AtomicCounter()
    try container.register(Int.self) { _ in built.add() }.as(.singleton).eager()
    try container.register(Int.self) { _ in built.add() }.as(.singleton)
    try container.syncWarmUp()
    XCTAssertEqual(built.value, 0)
  }

  func testOnlySingletonsMayBeEager() throws {
    let container = Container()
    let transient = try container.register(Int.self) { _ in 1 }.eager()
    XCTAssertThrowsError(try container.resolve(Int.self)) {
      guard
        case .eagerRequiresSingleton(let key, _)? =
          ($0 as? ResolutionError)?.underlyingError as? RegistrationError
      else { return XCTFail("\($0)") }
      XCTAssertEqual("\(key)", "Int")
    }
    transient.as(.singleton)
    try container.syncWarmUp()
  }
}
