// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class CachedTests: ContainerTestCase {
  private let tracker = LifetimeTracker()
  private let time = AtomicCounter()
  private let policies: [StalePolicy] = [.wait, .serveStale]

  private func scope(for seconds: Int = 10, _ whileRefreshing: StalePolicy) -> AnyScope {
    .cached(
      for: .seconds(seconds), whileRefreshing: whileRefreshing,
      clock: MonotonicClock { [time] in .seconds(time.value) })
  }

  private func serial(in container: Container, name: Name? = nil) throws -> Int {
    try container.resolve(Tracked.self, name: name).serial
  }

  func testAnInstanceIsServedForItsTime() throws {
    for policy in policies {
      let container = Container()
      let tracker = LifetimeTracker()
      try container.register(Tracked.self, scope: scope(policy)) { _ in tracker.make() }
      for expected in 1...5 {
        XCTAssertEqual(try serial(in: container), expected)
        XCTAssertEqual(try container.provider(for: Tracked.self)().serial, expected)
        time.add(9)
        XCTAssertEqual(try serial(in: container), expected)
        XCTAssertEqual(tracker.created, expected)
        time.add(1)
      }
      settleReclamation()
      XCTAssertEqual(tracker.alive, 1, "old instances are left")
    }
  }

  func testTheLifetimeBeginsWhenTheInstanceIsComplete() throws {
    for policy in policies {
      let container = Container()
      let tracker = LifetimeTracker()
      try container.register(Tracked.self, scope: scope(policy)) { [time] _ in
        time.add(100)
        return tracker.make()
      }
      for expected in 1...3 {
        XCTAssertEqual(try serial(in: container), expected)
        time.add(9)
        XCTAssertEqual(try serial(in: container), expected)
        time.add(1)
      }
    }
  }

  func testATimeOfZeroBuildsForEachResolve() throws {
    for policy in policies {
      let container = Container()
      let tracker = LifetimeTracker()
      try container.register(Tracked.self, scope: scope(for: 0, policy)) { _ in tracker.make() }
      for expected in 1...3 { XCTAssertEqual(try serial(in: container), expected) }
    }
  }

  func testTheSystemsClockIsUsedOtherwise() throws {
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }
      .as(.cached(for: .seconds(3600)))
    try container.register(Tracked.self, name: "short") { [tracker] _ in tracker.make() }
      .as(.cached(for: .nanoseconds(1), whileRefreshing: .serveStale))
    XCTAssertEqual(try serial(in: container), 1)
    XCTAssertEqual(try serial(in: container), 1)
    XCTAssertEqual(try serial(in: container, name: "short"), 2)
    XCTAssertEqual(try serial(in: container, name: "short"), 3)
  }

  func testWhoAsksWithinARefreshGetsTheOldInstanceWhereItIsServed() throws {
    let outdated = AtomicCounter()
    try container.register(Tracked.self, scope: scope(.serveStale)) { [tracker] resolver in
      if tracker.created > 0 { outdated.add(try resolver.resolve(Tracked.self).serial) }
      return tracker.make()
    }
    XCTAssertEqual(try serial(in: container), 1)
    time.add(10)
    XCTAssertEqual(try serial(in: container), 2)
    XCTAssertEqual(outdated.value, 1)
  }

  func testWhoAsksWithinARefreshIsACycleWhereItIsAwaited() throws {
    try container.register(Tracked.self, scope: scope(.wait)) { [tracker] resolver in
      tracker.created > 0 ? try resolver.resolve(Tracked.self) : tracker.make()
    }
    XCTAssertEqual(try serial(in: container), 1)
    time.add(10)
    XCTAssertThrowsError(try serial(in: container)) { error in
      guard case ResolutionError.circularDependencyDetected = error else {
        return XCTFail("\(error)")
      }
    }
  }

  func testAFailedRefreshIsTriedAgain() throws {
    for policy in policies {
      let container = Container()
      let tracker = LifetimeTracker()
      let isBroken = AtomicCounter()
      try container.register(Tracked.self, scope: scope(policy)) { _ in
        if isBroken.value > 0 { throw FixtureError("no rates") }
        return tracker.make()
      }
      XCTAssertEqual(try serial(in: container), 1)
      time.add(10)
      isBroken.add()
      for _ in 0..<3 {
        XCTAssertThrowsError(try serial(in: container)) { error in
          let underlying = (error as? ResolutionError)?.underlyingError
          XCTAssertEqual(underlying as? FixtureError, FixtureError("no rates"))
        }
      }
      isBroken.add(-1)
      XCTAssertEqual(try serial(in: container), 2)
      XCTAssertEqual(try serial(in: container), 2)
    }
  }

  func testReleasingBeginsAnew() throws {
    for policy in policies {
      let container = Container()
      let tracker = LifetimeTracker()
      try container.register(Tracked.self, scope: scope(policy)) { _ in tracker.make() }
      XCTAssertFalse(container.release(Tracked.self))
      XCTAssertEqual(try serial(in: container), 1)
      XCTAssertTrue(container.release(Tracked.self))
      XCTAssertEqual(tracker.left, 0)
      XCTAssertEqual(try serial(in: container), 2)
      time.add(10)
      container.releaseAll()
      XCTAssertEqual(tracker.left, 0)
      XCTAssertEqual(try serial(in: container), 3)
      time.add(9)
      XCTAssertEqual(try serial(in: container), 3)
    }
  }

  func testReleasingWithinARefreshKeepsNothingOfIt() throws {
    for policy in policies {
      let container = Container()
      let tracker = LifetimeTracker()
      try container.register(Tracked.self, scope: scope(policy)) { resolver in
        if tracker.created == 1 { XCTAssertTrue(try resolver.container.release(Tracked.self)) }
        return tracker.make()
      }
      XCTAssertEqual(try serial(in: container), 1)
      time.add(10)
      XCTAssertEqual(try serial(in: container), 2)
      XCTAssertEqual(try serial(in: container), 3)
      settleReclamation()
      XCTAssertEqual(tracker.alive, 1, "\(policy)")
    }
  }

  func testActionsRunForEachInstance() throws {
    for policy in policies {
      let container = Container()
      let tracker = LifetimeTracker()
      let initialized = AtomicCounter()
      try container.register(Tracked.self, scope: scope(policy)) { _ in tracker.make() }
        .afterInit { _, instance in initialized.add(instance.serial) }
      for expected in [1, 3, 6] {
        _ = try serial(in: container)
        XCTAssertEqual(initialized.value, expected)
        time.add(10)
      }
    }
  }

  func testEachValueOfTheArgumentHasATimeOfItsOwn() throws {
    for policy in policies {
      let container = Container()
      let tracker = LifetimeTracker()
      try container.register(Tracked.self, scope: scope(policy)) { (_, _: String) in
        tracker.make()
      }
      func serial(_ value: String) throws -> Int {
        try container.resolve(Tracked.self, arguments: value).serial
      }
      XCTAssertEqual(try serial("a"), 1)
      time.add(5)
      XCTAssertEqual(try serial("b"), 2)
      time.add(5)
      XCTAssertEqual(try serial("b"), 2)
      XCTAssertEqual(try serial("a"), 3)
      time.add(5)
      XCTAssertEqual(try serial("b"), 4)
    }
  }

  func testAnAsynchronousInstance() async throws {
    for policy in policies {
      let container = Container()
      let tracker = LifetimeTracker()
      try container.registerAsync(Tracked.self, scope: scope(policy)) { _ in
        await Task.yield()
        return tracker.make()
      }
      for expected in 1...3 {
        let built = try await container.resolveAsync(Tracked.self).serial
        XCTAssertEqual(built, expected)
        XCTAssertEqual(try serial(in: container), expected, "fresh: no await is needed")
        time.add(10)
      }
    }
  }

  func testDisposersAreRefused() throws {
    let registration = try container.register(
      Tracked.self, scope: scope(.wait)
    ) { [tracker] _ in tracker.make() }
    registration.onDispose { _ in }
    assertInvalid(.disposalRequiresOwner) { try container.resolve(Tracked.self) }
  }
}
