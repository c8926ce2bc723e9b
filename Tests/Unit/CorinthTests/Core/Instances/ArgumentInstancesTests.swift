// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// What a registration keeps for the values of its arguments, counted in entries.
final class ArgumentInstancesTests: ContainerTestCase {
  private let tracker = LifetimeTracker()
  private let time = AtomicCounter()

  /// Dead ones beyond those that are alive.
  private let deadAtMost = 16

  private func register<Argument: Hashable & Sendable>(
    _ scope: AnyScope, _ argument: Argument.Type = Int.self
  ) throws {
    try container.register(Tracked.self, scope: scope) { [tracker] (_, _: Argument) in
      tracker.make()
    }
  }

  private func cached(_ whileRefreshing: StalePolicy = .wait) -> AnyScope {
    .cached(
      for: .seconds(10), whileRefreshing: whileRefreshing,
      clock: MonotonicClock { [time] in .seconds(time.value) })
  }

  private func entries<Argument>(_ argument: Argument.Type = Int.self) throws -> Int {
    let key = RegistrationKey(Tracked.self, arguments: argument)
    let record = try XCTUnwrap(container.registry.table.find(key)?.registration)
    return try XCTUnwrap(record.instancesByArguments).all.count
  }

  private func resolve(_ value: Int) throws -> Tracked {
    try container.resolve(Tracked.self, arguments: value)
  }

  // MARK: - Weak instances

  /// Each id took 290 bytes for ever, though its instance had ended.
  func testTheEntriesOfWeakInstancesThatHaveEndedAreGivenBack() throws {
    try skipUnderThreadSanitizer()
    try register(.weak)
    for value in 0..<StressSize.scaled(100_000) {
      _ = try resolve(value)
      if value.isMultiple(of: 1000) { XCTAssertLessThanOrEqual(try entries(), deadAtMost) }
    }
    XCTAssertLessThanOrEqual(try entries(), deadAtMost)
  }

  func testDeadEntriesAreAtMostAsManyAsLiveOnesAndSixteen() throws {
    try register(.weak)
    let live = 100
    let held = try (0..<live).map(resolve)
    for value in live..<5000 {
      _ = try resolve(value)
      XCTAssertLessThanOrEqual(try entries(), 2 * live + deadAtMost)
    }
    for value in 0..<live { XCTAssert(try resolve(value) === held[value]) }
  }

  func testDeadEntriesAreGivenBackWhereNothingGrows() throws {
    try register(.weak)
    let last = try resolve(0)
    do {
      let others = try (1..<1000).map(resolve)
      XCTAssertEqual(try entries(), others.count + 1)
    }
    for _ in 0..<10_000 { XCTAssert(try resolve(0) === last) }
    XCTAssertLessThanOrEqual(try entries(), 1 + deadAtMost)
  }

  // MARK: - Cached instances

  /// The instances themselves were kept.
  func testExpiredInstancesEndWhereOthersAreResolved() throws {
    try register(cached())
    for value in 0..<1000 { _ = try resolve(value) }
    XCTAssertEqual(tracker.alive, 1000)
    time.add(10)
    _ = try resolve(0)
    settleReclamation()
    XCTAssertEqual(tracker.alive, 1)
    XCTAssertEqual(try entries(), 1)
  }

  func testAFreshInstanceStaysWhenOthersExpire() throws {
    try register(cached())
    for value in 0..<20 { _ = try resolve(value) }
    time.add(5)
    let fresh = try resolve(20)
    time.add(5)
    _ = try resolve(0)
    settleReclamation()
    XCTAssertEqual(tracker.alive, 2)
    XCTAssert(try resolve(20) === fresh)
  }

  func testAStaleInstanceThatMayBeServedIsKeptForItsTimeOnceMore() throws {
    try register(cached(.serveStale))
    _ = (try resolve(1), try resolve(2))
    time.add(19)
    _ = try resolve(1)
    settleReclamation()
    XCTAssertEqual(tracker.alive, 2)
    time.add(1)
    _ = try resolve(1)
    settleReclamation()
    XCTAssertEqual(tracker.alive, 1)
  }

  // MARK: - Others

  func testTheEntriesOfFailedConstructionsAreGivenBack() throws {
    try container.register(Tracked.self, scope: .singleton) { [tracker] (_, value: Int) in
      if value > 0 { throw FixtureError("no such tenant") }
      return tracker.make()
    }
    let first = try resolve(0)
    for value in 1..<1000 { XCTAssertThrowsError(try resolve(value)) }
    XCTAssertLessThanOrEqual(try entries(), 2 + deadAtMost)
    XCTAssert(try resolve(0) === first)
  }

  func testReleasedEntriesAreGivenBack() throws {
    try register(.singleton)
    for _ in 0..<1000 {
      _ = try resolve(7)
      XCTAssertTrue(container.release(Tracked.self, arguments: 7))
    }
    XCTAssertLessThanOrEqual(try entries(), deadAtMost)
    XCTAssertEqual(tracker.created, 1000)
    XCTAssertEqual(tracker.left, 0)
  }

  /// A released value leaves an entry until the next table, which nothing else may ask for.
  func testEntriesOfReleasedValuesAreGivenBackWhereNothingIsResolved() throws {
    try register(.singleton)
    let count = 1000
    for value in 0..<count { _ = try resolve(value) }
    for value in 0..<count {
      XCTAssertTrue(container.release(Tracked.self, arguments: value))
      let live = count - value - 1
      XCTAssertLessThanOrEqual(try entries(), 2 * live + deadAtMost)
    }
    XCTAssertEqual(tracker.left, 0)
  }

  func testManySingletonsAreFound() throws {
    try register(.singleton)
    let count = StressSize.scaled(20_000)
    let made = try (0..<count).map(resolve)
    for value in 0..<count { XCTAssert(try resolve(value) === made[value]) }
    XCTAssertEqual(try entries(), count)
  }

  func testUnequalValuesOfOneHashAreApart() throws {
    try register(.weak, OneHash.self)
    let held = try (0..<50).map { value in
      try container.resolve(Tracked.self, arguments: OneHash(value: value))
    }
    for value in 50..<500 {
      _ = try container.resolve(Tracked.self, arguments: OneHash(value: value))
    }
    for value in 0..<50 {
      let found = try container.resolve(Tracked.self, arguments: OneHash(value: value))
      XCTAssert(found === held[value])
    }
    XCTAssertLessThanOrEqual(try entries(OneHash.self), 2 * 50 + deadAtMost)
  }

  /// The comparisons put other tables in place of the one that is being searched, and the search
  /// began again for ever.
  func testAComparisonMayResolveTheRegistrationItself() throws {
    try register(.weak, Curious.self)
    let container = container
    let next = AtomicCounter()
    let comparison: @Sendable () -> Void = {
      for _ in 0..<3 {
        let value = Curious(value: 1000 + next.add(), compare: nil)
        _ = try? container.resolve(Tracked.self, arguments: value)
      }
    }
    let held = try (0..<20).map { value in
      try container.resolve(Tracked.self, arguments: Curious(value: value, compare: comparison))
    }
    for value in 0..<20 {
      let asked = Curious(value: value, compare: comparison)
      XCTAssert(try container.resolve(Tracked.self, arguments: asked) === held[value])
    }
    XCTAssertGreaterThan(next.value, 20)
    container.removeAll()
  }

  func testTheDeinitOfAnInstanceMayUseTheRegistrationThatGivesEntriesBack() throws {
    let (container, farewells) = (container, AtomicCounter())
    try register(.weak)
    try container.register(Farewell.self, scope: Scope(cached())) { (_, value: Int) in
      Farewell {
        farewells.add()
        _ = try? container.resolve(Tracked.self, arguments: value)
        _ = try? container.resolve(Farewell.self, arguments: 0)
        container.release(Farewell.self, arguments: value + 1)
      }
    }
    let rounds = 50
    for _ in 0..<rounds {
      for value in 0..<20 { _ = try container.resolve(Farewell.self, arguments: value) }
      time.add(10)
    }
    settleReclamation()
    XCTAssertGreaterThanOrEqual(farewells.value, rounds)
    XCTAssertLessThanOrEqual(try entries(), 1 + deadAtMost)
    container.removeAll()
  }

  func testAnOverrideAndARegistrationThatIsRemovedBuildNoFurtherInstances() throws {
    try register(.singleton)
    let first = try resolve(1)
    try register(.singleton)
    let second = try resolve(1)
    XCTAssert(first !== second)
    XCTAssertEqual(try entries(), 1)
    let fork = container.fork()
    XCTAssert(try fork.resolve(Tracked.self, arguments: 1) !== second)
    XCTAssertTrue(fork.release(Tracked.self, arguments: 1))
    XCTAssertFalse(fork.release(Tracked.self, arguments: 1))
    XCTAssert(try resolve(1) === second, "a fork has instances of its own")
  }

  // MARK: - Threads

  /// Who has found an entry that is given back meanwhile looks again: threads that ask at one time
  /// get one instance.
  func testThreadsThatAskForAnInstanceThatHasJustEndedGetOne() throws {
    try register(.weak)
    let (container, barrier) = (container, Barrier(2))
    let rounds = StressSize.scaled(2000)
    let found = try onThreads(2) { thread in
      try (0..<rounds).map { round -> Int in
        barrier.wait()
        let instance = try container.resolve(Tracked.self, arguments: 0)
        // Others, so that tables are replaced beside the search of the other thread.
        for value in 0..<10 {
          let value = 1 + 100 * round + 10 * thread + value
          _ = try container.resolve(Tracked.self, arguments: value)
        }
        barrier.wait()
        return instance.serial
      }
    }
    XCTAssertEqual(found[0], found[1])
  }

  func testThreadsThatAskForExpiringInstancesGetOneForEachTime() throws {
    try register(cached())
    let (container, barrier, time) = (container, Barrier(2), time)
    let rounds = StressSize.scaled(500)
    let found = try onThreads(2) { thread in
      try (0..<rounds).map { _ -> [Int] in
        barrier.wait()
        if thread == 0 { time.add(10) }
        barrier.wait()
        return try (0..<20).map { value in
          let value = thread == 0 ? value : 19 - value
          return try container.resolve(Tracked.self, arguments: value).serial
        }.sorted()
      }
    }
    XCTAssertEqual(found[0], found[1])
    XCTAssertEqual(tracker.created, rounds * 20, "none is built in vain")
  }

  /// An instance is built once for each value until the value is released, also if that comes in
  /// the middle.
  func testReleasesBesideResolvesEndEachInstanceOnce() async throws {
    let (container, tracker, ended) = (Container(), tracker, AtomicCounter())
    Container.onUndisposed = { ended.add($0.instances.count) }
    defer { Container.onUndisposed = nil }
    try container.register(Tracked.self, scope: .singleton) { (_, value: Int) in
      if value == 3, tracker.created.isMultiple(of: 3) { throw FixtureError("now and then") }
      sched_yield()
      return tracker.make()
    }.onDispose { _ in ended.add() }
    let rounds = StressSize.scaled(2000)
    _ = try onThreads(4) { thread in
      for round in 0..<rounds {
        let value = (round &* 7 &+ thread) % 4
        if thread < 2 {
          container.release(Tracked.self, arguments: value)
        } else {
          _ = try? container.resolve(Tracked.self, arguments: value)
        }
      }
    }
    try await container.shutdown()
    settleReclamation()
    XCTAssertEqual(ended.value, tracker.created)
    XCTAssertEqual(tracker.alive, 0)
  }

  func testAClosingBesideResolvesDisposesOfEachInstance() throws {
    let (tracker, disposed) = (tracker, AtomicCounter())
    for _ in 0..<StressSize.scaled(100) {
      let scope = container.makeScope()
      try scope.register(Tracked.self, scope: .singleton) { (_, _: Int) in tracker.make() }
        .onDispose { _ in disposed.add() }
      try onThreads(3) { thread in
        if thread == 0 {
          try scope.syncClose()
        } else {
          var value = thread
          while (try? scope.resolve(Tracked.self, arguments: value)) != nil { value += 1 }
        }
      }
    }
    settleReclamation()
    XCTAssertEqual(disposed.value, tracker.created)
    XCTAssertEqual(tracker.alive, 0)
  }

  /// A closing read the box of an instance that a release was about to free.
  func testAReleaseBesideAClosingLeavesEachInstanceToOneOfThem() throws {
    let (tracker, ended) = (tracker, AtomicCounter())
    Container.onUndisposed = { ended.add($0.instances.count) }
    defer { Container.onUndisposed = nil }
    let values = 20
    for _ in 0..<StressSize.scaled(200) {
      let (scope, barrier) = (container.makeScope(), Barrier(3))
      try scope.register(Tracked.self, scope: .singleton) { (_, _: Int) in tracker.make() }
        .onDispose { _ in ended.add() }
      for value in 0..<values { _ = try scope.resolve(Tracked.self, arguments: value) }
      try onThreads(3) { thread in
        barrier.wait()
        if thread == 0 {
          try scope.syncClose()
        } else {
          for value in 0..<values { scope.release(Tracked.self, arguments: value) }
        }
      }
    }
    settleReclamation()
    XCTAssertEqual(ended.value, tracker.created)
    XCTAssertEqual(tracker.alive, 0)
  }

  private final class Farewell: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    deinit { body() }
  }

  private struct OneHash: Hashable, Sendable {
    let value: Int
    func hash(into hasher: inout Hasher) {}
  }

  private struct Curious: Hashable, Sendable {
    let value: Int
    let compare: (@Sendable () -> Void)?

    static func == (left: Self, right: Self) -> Bool {
      if left.value < 1000, right.value < 1000 { left.compare?() }
      return left.value == right.value
    }

    func hash(into hasher: inout Hasher) {}
  }
}
