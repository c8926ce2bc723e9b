// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// Disposers that run side by side, where neither instance can depend on the other.
///
/// A shutdown disposed of one instance after the other: ten consumers that take 400 ms each to
/// leave a broker took four seconds, of two that the process had.
final class SideBySideShutdownTests: SideBySideConsumersTestCase {
  // MARK: - Side by side

  func testIndependentInstancesAreDisposedOfSideBySide() async throws {
    for number in 0..<10 {
      try addConsumer(number)
      try build(number)
    }
    try await assertEnd([Set((0..<10).map { "\($0)" })])
  }

  func testNoMoreDisposersRunAtOnceThanAllowed() async throws {
    for number in 0..<4 {
      try addConsumer(number)
      try build(number)
    }
    try await assertEnd([["3", "2"], ["1", "0"]], maximumConcurrency: 2)
  }

  func testByDefaultADisposerBeginsWhenTheOneBeforeHasEnded() async throws {
    for number in 0..<3 {
      try addConsumer(number)
      try build(number)
    }
    try await assertEnd([["2"], ["1"], ["0"]], maximumConcurrency: 1)
  }

  func testAConstructionThatResolvesManyKeysManyTimesIsFollowed() async throws {
    try addPool()
    for key in 0..<200 {
      try container.register(Int.self, name: Name(key), scope: .singleton) { _ in key }
    }
    try addConsumer(0) { resolver in
      for _ in 0..<3 {
        for key in 0..<200 { _ = try resolver.resolve(Int.self, name: Name(key)) }
      }
      return [try resolver.resolve(Pool.self)]
    }
    try addConsumer(1)
    try build(0, 1)
    try await assertEnd([["1", "0"], ["pool"]])
  }

  func testADeepChainOfConstructionsIsFollowed() async throws {
    let last = 99
    for number in 0..<last {
      try addConsumer(number) { [try $0.resolve(Consumer.self, name: Name(number + 1))] }
    }
    try addConsumer(last)
    try build(0)
    try await assertEnd((0...last).map { ["\($0)"] })
  }

  func testInstancesForDifferentArgumentsAreDisposedOfSideBySide() async throws {
    try container.register(
      Consumer.self, scope: .singleton,
      with: .onDispose { [stage] in await stage.dispose("\($0.number)") }
    ) { (_, number: Int) in Consumer(number) }
    for number in 0..<3 { _ = try container.resolve(Consumer.self, arguments: number) }
    try await assertEnd([["0", "1", "2"]])
  }

  /// Only the notes of the instances present were read, although a dependent has the released one.
  func testADependentOfAReleasedInstanceComesBeforeWhatThatOneDependsOn() async throws {
    try addPool()
    try container.register(Consumer.self, scope: .singleton) { (resolver, number: Int) in
      Consumer(number, number == 7 ? [try resolver.resolve(Pool.self)] : [])
    }
    try addConsumer(1) { [try $0.resolve(Consumer.self, arguments: 7)] }
    try build(1)
    _ = try container.resolve(Consumer.self, arguments: 8)
    XCTAssertTrue(container.release(Consumer.self, arguments: 7))
    try await assertEnd([["1"], ["pool"]])
  }

  func testADependentOfAnInstanceBuiltAnewComesBeforeWhatTheReleasedOneDependsOn() async throws {
    try addPool()
    let isFirst = Locked(true)
    try container.register(Cache.self, scope: .singleton) { resolver in
      if isFirst.withLock({ $0 }) { _ = try resolver.resolve(Pool.self) }
      isFirst.withLock { $0 = false }
      return Cache()
    }
    try addConsumer(1) { [try $0.resolve(Cache.self)] }
    try build(1)
    XCTAssertTrue(container.release(Cache.self))
    _ = try container.resolve(Cache.self)
    try await assertEnd([["1"], ["pool"]])
  }

  func testTheReleaseOfAnInstanceWithoutDependenciesLeavesTheOthersSideBySide() async throws {
    try container.register(
      Consumer.self, scope: .singleton,
      with: .onDispose { [stage] in await stage.dispose("\($0.number)") }
    ) { (_, number: Int) in Consumer(number) }
    for number in 0..<3 { _ = try container.resolve(Consumer.self, arguments: number) }
    container.release(Consumer.self, arguments: 1)
    try await assertEnd([["0", "2"]])
  }

  func testDependentsAreDisposedOfSideBySideAndBeforeWhatTheyShare() async throws {
    try addPool()
    for number in 0..<3 {
      try addConsumer(number) { [try $0.resolve(Pool.self)] }
      try build(number)
    }
    try await assertEnd([["0", "1", "2"], ["pool"]])
  }

  func testActionsAfterTheConstructionAreNotedToo() async throws {
    try addPool()
    for number in 0..<2 {
      try container.register(
        Consumer.self, name: Name(number), scope: .singleton, with: staged("\(number)")
      ) { _ in Consumer(number) }.afterInit { resolver, _ in _ = try resolver.resolve(Pool.self) }
    }
    _ = try container.resolve(Pool.self)
    try build(0, 1)
    try await assertEnd([["0", "1"], ["pool"]])
  }

  func testAFailedConstructionLeavesNoNotes() async throws {
    try addPool()
    _ = try container.resolve(Pool.self)
    let fails = Guarded(true)
    try addConsumer(0) { resolver in
      if fails.value == true { throw FixtureError("\(try resolver.resolve(Pool.self))") }
      return []
    }
    XCTAssertThrowsError(try build(0))
    fails.value = false
    try build(0)
    try await assertEnd([["0", "pool"]])
  }

  func testADeclarationMakesAnAsynchronousFactoryKnown() async throws {
    for number in 0..<2 {
      try container.registerAsync(
        Consumer.self, name: Name(number), scope: .singleton,
        with: staged("\(number)").dependsOn()
      ) { _ in Consumer(number) }
      _ = try await container.resolveAsync(Consumer.self, name: Name(number))
    }
    try await assertEnd([["0", "1"]])
  }

  func testWiredAsynchronousInstancesAreDisposedOfSideBySide() async throws {
    struct First: Sendable {}
    struct Second: Sendable { let pool: Pool }
    @Sendable func makeFirst() async -> First { First() }
    @Sendable func makeSecond(pool: Pool) async -> Second { Second(pool: pool) }
    try addPool()
    try container.wireAsync(First.self, scope: .singleton, with: staged("first"), using: makeFirst)
    try container.wireAsync(
      Second.self, scope: .singleton, with: staged("second"), using: makeSecond(pool:))
    _ = try await container.resolveAsync(Second.self)
    _ = try await container.resolveAsync(First.self)
    try await assertEnd([["first", "second"], ["pool"]])
  }

  func testAnUnusedLazyKeepsNothingInOrder() async throws {
    try container.register(Cache.self, scope: .singleton) { _ in Cache() }
    for number in 0..<2 {
      try addConsumer(number) { [try $0.resolve(Lazy<Cache>.self)] }
      try build(number)
    }
    try await assertEnd([["0", "1"]])
  }

  func testWithLimitsNoMoreDisposersRunAtOnceThanHaveThreads() {
    let limited = TimeLimits(each: .seconds(1), maximumConcurrency: 1000)
    XCTAssertEqual(limited.maximumConcurrency, LimitThreads.bound)
    XCTAssertEqual(TimeLimits(maximumConcurrency: 1000).maximumConcurrency, 1000)
  }

  // MARK: - Failures and limits

  func testTheFailuresOfDisposersThatRunSideBySideAreInTheirOrder() async throws {
    for number in 0..<3 {
      try container.register(
        Consumer.self, name: Name(number), scope: .singleton,
        with: .onDispose { [stage] _ in
          await stage.dispose("\(number)")
          throw FixtureError("\(number)")
        }
      ) { _ in Consumer(number) }
      try build(number)
    }
    let shutdown = Task { [container] in try await container.shutdown(maximumConcurrency: 3) }
    let haveBegun = await stage.waitUntilBegun(3)
    XCTAssert(haveBegun)
    for number in 0..<3 { await stage.letGo("\(number)") }
    do {
      try await shutdown.value
      XCTFail("no error")
    } catch CloseError.disposalFailed(let failures) {
      XCTAssertEqual(failures.map(\.key.name), [Name(2), Name(1), Name(0)])
    }
  }

  func testADisposerBeyondItsLimitIsLeftBehindAndWhatItDependsOnGoesOn() async throws {
    try addPool()
    try addConsumer(0) { [try $0.resolve(Pool.self)] }
    try addConsumer(1) { [try $0.resolve(Pool.self)] }
    try build(0, 1)
    let shutdown = Task { [container] in
      try await container.shutdown(timeLimit: .milliseconds(50), maximumConcurrency: 10)
    }
    // The pool begins although neither of the two has ended.
    let haveBegun = await stage.waitUntilBegun(3)
    XCTAssert(haveBegun)
    do {
      try await shutdown.value
      XCTFail("no error")
    } catch CloseError.disposalFailed(let failures) {
      XCTAssertEqual(failures.count, 3)
      XCTAssert(failures.allSatisfy { $0.error is TimeLimitExceeded })
    }
    for name in ["0", "1", "pool"] { await stage.letGo(name) }
  }

  // MARK: - Containers

  func testAChildDisposesOfItsOwnInstancesSideBySide() async throws {
    try container.register(Cache.self, scope: .singleton) { _ in Cache() }
    let child = Container(parent: container)
    for number in 0..<2 {
      try addConsumer(number, in: child) { [try $0.resolve(Cache.self)] }
      try build(number, in: child)
    }
    try await assertEnd([["0", "1"]], of: child)
  }

  func testTheInstancesOfAReloadedContainerAreDisposedOfSideBySide() async throws {
    for number in 0..<2 {
      // A reload has to know what depends on what changes.
      try container.register(
        Consumer.self, name: Name(number), scope: .singleton,
        with: staged("\(number)").dependsOn()
      ) { _ in Consumer(number) }
    }
    let reloadable = ReloadableContainer(container)
    try await reloadable.reload { version in
      for number in 2..<4 { try addConsumer(number, in: version) }
    }
    try build(0, 1)
    for number in 2..<4 { _ = try reloadable.current.resolve(Consumer.self, name: Name(number)) }
    try await assertEnd([["2", "3"], ["0", "1"]])
  }

  func testInstancesThatShareOneOfAnOlderVersionAreDisposedOfSideBySide() async throws {
    let reloadable = ReloadableContainer(container)
    try await reloadable.reload { version in
      try version.register(Pool.self, scope: .singleton, with: staged("pool").dependsOn()) { _ in
        Pool()
      }
    }
    _ = try reloadable.current.resolve(Pool.self)
    try await reloadable.reload { version in
      for number in 0..<2 { try addConsumer(number, in: version) { [try $0.resolve(Pool.self)] } }
    }
    for number in 0..<2 { _ = try reloadable.current.resolve(Consumer.self, name: Name(number)) }
    try await assertEnd([["0", "1"], ["pool"]])
  }

  func testAServiceDisposesOfIndependentInstancesSideBySide() async throws {
    for number in 0..<3 {
      try addConsumer(number)
      try build(number)
    }
    let service = ContainerService(container, draining: nil, maximumConcurrency: 3, until: {})
    let run = Task { try await service.run() }
    let haveBegun = await stage.waitUntilBegun(3)
    XCTAssert(haveBegun)
    for number in 0..<3 { await stage.letGo("\(number)") }
    try await run.value
  }
}
