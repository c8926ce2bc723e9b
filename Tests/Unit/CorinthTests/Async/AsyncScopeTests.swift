// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// The scopes of asynchronous registrations.
final class AsyncScopeTests: AsyncTestCase {
  private let tracker = LifetimeTracker()

  private func register(
    _ scope: AnyScope = .transient, name: Name? = nil, in other: Container? = nil
  ) throws -> Registration<Tracked> {
    try (other ?? container).registerAsync(Tracked.self, name: name, scope: scope) {
      [tracker] _ in
      await Task.yield()
      return tracker.make()
    }
  }

  private func resolve(_ count: Int, name: Name? = nil, from other: Container? = nil) async throws
    -> [Tracked]
  {
    var found: [Tracked] = []
    for _ in 0..<count {
      found.append(try await (other ?? container).resolveAsync(Tracked.self, name: name))
    }
    return found
  }

  func testATransientIsBuiltForEachResolve() async throws {
    _ = try register()
    let found = try await resolve(3)
    XCTAssertEqual(found.map(\.serial), [1, 2, 3])
  }

  func testASingletonIsBuiltOnce() async throws {
    _ = try register(.singleton)
    let found = try await resolve(3)
    XCTAssertEqual(found.map(\.serial), [1, 1, 1])
  }

  func testAWeakInstanceIsSharedWhileSomebodyHoldsIt() async throws {
    _ = try register(.weak)
    do {
      let found = try await resolve(3)
      XCTAssertEqual(found.map(\.serial), [1, 1, 1])
    }
    await tracker.waitUntilNoneIsLeft()
    let serial = try await resolve(1)[0].serial
    XCTAssertEqual(serial, 2)
  }

  /// The instance went when the task that had built it did, before those who waited had it: they
  /// built another, over and over.
  func testAWeakInstanceReachesThoseWhoWaitedForIt() async throws {
    for _ in 0..<200 {
      let container = Container()
      let builds = AtomicCounter()
      try container.registerAsync(Tracked.self, scope: .weak) { [tracker] _ in
        builds.add()
        return tracker.make()
      }
      _ = try await container.resolveAsync(Tracked.self)
      XCTAssertEqual(builds.value, 1)
    }
  }

  /// The resolution that began with the instance was over by the time its caller looked for it, and
  /// it was built anew without an end.
  func testAGraphInstanceBeginsAResolution() async throws {
    _ = try register(.graph)
    let found = try await resolve(3)
    XCTAssertEqual(found.map(\.serial), [1, 2, 3])
  }

  func testAGraphInstanceIsSharedWithinAResolution() async throws {
    _ = try register(.graph)
    try container.registerAsync([Tracked].self) { resolver in
      let first = try await resolver.resolveAsync(Tracked.self)
      let nested = try await Task { try await resolver.resolveAsync(Tracked.self) }.value
      return [first, nested, try await resolver.resolveAsync(Tracked.self)]
    }
    for round in 1...3 {
      let found = try await container.resolveAsync([Tracked].self)
      XCTAssertEqual(found.map(\.serial), [round, round, round])
    }
  }

  func testParallelResolvesOfOneResolutionShareAGraphInstance() async throws {
    _ = try register(.graph)
    try container.registerAsync(Set<Int>.self) { resolver in
      async let one = resolver.resolveAsync(Tracked.self).serial
      async let two = resolver.resolveAsync(Tracked.self).serial
      let others = try await withThrowingTaskGroup { group in
        for _ in 0..<8 {
          group.addTask { try await resolver.resolveAsync(Tracked.self).serial }
        }
        return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
      }
      return others.union([try await one, try await two])
    }
    for round in 1...20 {
      let serials = try await container.resolveAsync(Set<Int>.self)
      XCTAssertEqual(serials, [round])
    }
  }

  /// The caller that began the construction was cancelled in the middle of the factory. The
  /// resolution ended with it, and the factory got another instance for its second resolve.
  func testAFactoryKeepsItsGraphInstancesWhenTheCallerThatBeganItLeaves() async throws {
    _ = try register(.graph)
    let (begun, mayGoOn, lobby) = (AsyncGate(), AsyncGate(), Lobby())
    try container.registerAsync([Int].self, scope: .singleton) { resolver in
      let first = try await resolver.resolveAsync(Tracked.self)
      begun.open()
      await mayGoOn.wait()
      return [first.serial, try await resolver.resolveAsync(Tracked.self).serial]
    }
    try container.registerAsync(Set<Int>.self) { resolver in
      Set(try await resolver.resolveAsync([Int].self))
    }
    let first = Task { [container] in try await container.resolveAsync(Set<Int>.self) }
    await begun.wait()
    let second = Task { [container] in
      try await lobby.enter { try await container.resolveAsync([Int].self) }
    }
    await lobby.waitForSuspension(of: 1)
    first.cancel()
    await assertThrows { try await first.value }
    mayGoOn.open()
    let serials = try await second.value
    XCTAssertEqual(serials, [1, 1])
  }

  func testTopLevelResolvesNeverShareAGraphInstance() async throws {
    _ = try register(.graph)
    let serials = try await onTasks(50) { [container] _ in
      try await container.resolveAsync(Tracked.self).serial
    }
    XCTAssertEqual(Set(serials).count, 50)
  }

  func testAScopedInstanceIsBuiltOnceForEachScope() async throws {
    _ = try register(.scoped)
    for round in 1...2 {
      let serials = try await container.withScope { scope in
        try await onTasks(8) { _ in try await scope.resolveAsync(Tracked.self).serial }
      }
      XCTAssertEqual(Set(serials), [round])
    }
    await assertThrows { [container] in
      try await container.resolveAsync(Tracked.self)
    } _: { error in
      guard case ResolutionError.scopeRequired = error else { return XCTFail("\(error)") }
    }
  }

  func testASingletonThatWouldKeepAScopedInstanceIsRefused() async throws {
    _ = try register(.scoped)
    try container.registerAsync(Int.self) { try await $0.resolveAsync(Tracked.self).serial }
      .as(.singleton)
    let scope = container.makeScope()
    await assertThrows {
      try await scope.resolveAsync(Int.self)
    } _: { error in
      guard case ResolutionError.captiveDependency = error else { return XCTFail("\(error)") }
    }
  }

  func testACachedInstanceIsKeptForItsTime() async throws {
    _ = try register(.cached(for: .seconds(600)))
    let kept = try await resolve(3)
    XCTAssertEqual(kept.map(\.serial), [1, 1, 1])
    _ = try register(.cached(for: .zero), name: "none")
    let renewed = try await resolve(3, name: "none")
    XCTAssertEqual(renewed.map(\.serial), [2, 3, 4])
  }

  func testACachedInstanceIsServedWhileItIsRefreshed() async throws {
    _ = try register(.cached(for: .zero, whileRefreshing: .serveStale))
    let first = try await resolve(1)
    XCTAssertEqual(first.map(\.serial), [1])
    let serials = try await onTasks(20) { [container] _ in
      try await container.resolveAsync(Tracked.self).serial
    }
    XCTAssertGreaterThan(serials.max() ?? 0, 1)
  }

  func testChainedModifiersChangeTheScope() async throws {
    let registration = try register()
    func serials() async throws -> [Int] {
      let scope = container.makeScope()
      let found = try await resolve(2, from: scope)
      return found.map { $0.serial - found[0].serial }
    }
    let changes: [(Bool, () throws -> Void)] = [
      (true, { registration.as(.singleton) }),
      (true, { registration.as(.weak) }),
      (false, { registration.as(.graph) }),
      (true, { registration.as(.scoped) }),
      (true, { registration.as(.cached(for: .seconds(600))) }),
      (false, { registration.as(.transient) }),
      (true, { registration.as(.singleton) }),
    ]
    for (index, (isShared, change)) in changes.enumerated() {
      try change()
      let serials = try await serials()
      XCTAssertEqual(serials, isShared ? [0, 0] : [0, 1], "change \(index)")
    }
  }

  func testInstancesAreKeptForEachValueOfTheArguments() async throws {
    for scope in [AnyScope.singleton, .weak, .scoped, .cached(for: .seconds(60))] {
      let home = Container().makeScope()
      try home.registerAsync(CompanionOf<A>.self, scope: Scope(scope)) {
        [tracker] (_, _: Int, _: String) in
        await Task.yield()
        return CompanionOf(tracker)
      }
      let found = try await onTasks(12) { index in
        try await home.resolveAsync(CompanionOf<A>.self, arguments: index % 3, "x")
      }
      for index in 0..<12 { XCTAssert(found[index] === found[index % 3], "\(scope)") }
      XCTAssertFalse(found[0] === found[1])
    }
  }

  func testTheContainersDefaultScopeHolds() async throws {
    let container = Container(defaultScope: .singleton)
    try container.registerAsync(Tracked.self) { [tracker] _ in tracker.make() }
    let found = try await resolve(2, from: container)
    XCTAssert(found[0] === found[1])
  }
}
