// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// Disposers that run side by side, where neither instance can depend on the other.
///
/// A shutdown disposed of one instance after the other: ten consumers that take 400 ms each to
/// leave a broker took four seconds, of two that the process had.
final class SideBySideShutdownTests: AsyncTestCase {
  private final class Consumer: Sendable {
    let number: Int
    let keeps: [any Sendable]
    init(_ number: Int, _ keeps: [any Sendable] = []) {
      (self.number, self.keeps) = (number, keeps)
    }
  }
  private final class Pool: Sendable {}
  private final class Cache: Sendable {}
  private struct Repository: Sendable {}
  private protocol Store: Sendable {}
  private final class FileStore: Store {}
  // SAFETY: nobody sets the property.
  private final class Job: @unchecked Sendable { @Injected var pool: Pool }

  private let stage = DisposalStage()

  private func staged<Product>(_ name: String) -> RegistrationOptions<Product> {
    .onDispose { [stage] _ in await stage.dispose(name) }
  }

  private func addConsumer(
    _ number: Int, in container: Container? = nil,
    _ resolve: @escaping @Sendable (Resolver) throws -> [any Sendable] = { _ in [] }
  ) throws {
    try (container ?? self.container).register(
      Consumer.self, name: Name(number), scope: .singleton, with: staged("\(number)")
    ) { Consumer(number, try resolve($0)) }
  }

  private func addPool() throws {
    try container.register(Pool.self, scope: .singleton, with: staged("pool")) { _ in Pool() }
  }

  private func build(_ numbers: Int..., in container: Container? = nil) throws {
    for number in numbers {
      _ = try (container ?? self.container).resolve(Consumer.self, name: Name(number))
    }
  }

  /// Shuts down, and checks which disposers run at once: each group begins when the one before has
  /// ended.
  private func assertEnd(
    _ groups: [Set<String>], maximumConcurrency: Int = 10, of ending: Container? = nil,
    file: StaticString = #filePath, line: UInt = #line
  ) async throws {
    let container = ending ?? container
    let shutdown = Task {
      try await container.shutdown(
        timeLimit: .seconds(600), maximumConcurrency: maximumConcurrency)
    }
    var count = 0
    for group in groups {
      count += group.count
      let haveBegun = await stage.waitUntilBegun(count)
      XCTAssert(haveBegun, "\(group) has not begun", file: file, line: line)
      for _ in 0..<20 { await Task.yield() }
      let running = await stage.running
      XCTAssertEqual(running, group, file: file, line: line)
      for name in running { await stage.letGo(name) }
    }
    await stage.letAllGo()
    try await shutdown.value
    let ended = await stage.ended
    XCTAssertEqual(Set(ended), groups.reduce(into: []) { $0.formUnion($1) }, file: file, line: line)
  }

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

  // MARK: - Paths

  /// Asserts that a consumer that gets to the pool in some way is disposed of before it, and
  /// another one beside it.
  private func assertIsNoted(
    file: StaticString = #filePath, line: UInt = #line,
    _ resolve: @escaping @Sendable (Resolver) throws -> [any Sendable]
  ) async throws {
    try addPool()
    try addConsumer(0)
    try addConsumer(1, resolve)
    _ = try container.resolve(Pool.self)
    try build(0, 1)
    try await assertEnd([["1", "0"], ["pool"]], file: file, line: line)
  }

  func testAHitIsNoted() async throws {
    try addPool()
    try addConsumer(0)
    try addConsumer(1) { [try $0.resolve(Pool.self)] }
    _ = try container.resolve(Pool.self)
    try build(0, 1)
    let shutdown = Task { [container] in try await container.shutdown(maximumConcurrency: 10) }
    let haveBegun = await stage.waitUntilBegun(2)
    XCTAssert(haveBegun)
    for _ in 0..<20 { await Task.yield() }
    var running = await stage.running
    XCTAssertEqual(running, ["0", "1"])
    // The pool has not to wait for the other consumer.
    await stage.letGo("1")
    let hasPoolBegun = await stage.waitUntilBegun(3)
    XCTAssert(hasPoolBegun)
    running = await stage.running
    XCTAssertEqual(running, ["0", "pool"])
    for name in ["0", "pool"] { await stage.letGo(name) }
    try await shutdown.value
  }

  func testATransientBetweenIsSeen() async throws {
    try container.register(Repository.self) { resolver in
      _ = try resolver.resolve(Pool.self)
      return Repository()
    }
    try await assertIsNoted { [try $0.resolve(Repository.self)] }
  }

  func testAnInstanceWithoutDisposersBetweenIsSeen() async throws {
    try container.register(Cache.self, scope: .singleton) { resolver in
      _ = try resolver.resolve(Pool.self)
      return Cache()
    }
    try await assertIsNoted { [try $0.resolve(Cache.self)] }
  }

  func testAnInstanceWithoutDisposersThatWasThereIsSeen() async throws {
    try addPool()
    try container.register(Cache.self, scope: .singleton) { resolver in
      _ = try resolver.resolve(Pool.self)
      return Cache()
    }
    _ = try container.resolve(Cache.self)
    try addConsumer(0) { [try $0.resolve(Cache.self)] }
    try addConsumer(1)
    try build(0, 1)
    try await assertEnd([["0", "1"], ["pool"]])
  }

  func testAnOptionalResolveIsNoted() async throws {
    try await assertIsNoted { [try $0.resolveIfRegistered(Pool.self) as any Sendable] }
  }

  func testACollectionIsNoted() async throws {
    try await assertIsNoted { try $0.resolveAll(Pool.self) }
  }

  func testAForwardIsNoted() async throws {
    try container.register(FileStore.self, scope: .singleton, with: staged("store")) { _ in
      FileStore()
    }
    try container.forward((any Store).self, to: FileStore.self)
    try addConsumer(0) { [try $0.resolve((any Store).self)] }
    _ = try container.resolve(FileStore.self)
    try addConsumer(1)
    try build(0, 1)
    try await assertEnd([["0", "1"], ["store"]])
  }

  func testADecoratorIsNoted() async throws {
    try addPool()
    try addConsumer(0)
    try addConsumer(1)
    try container.decorate(Consumer.self) { consumer, resolver in
      if consumer.number == 1 { _ = try resolver.resolve(Pool.self) }
      return consumer
    }
    _ = try container.resolve(Pool.self)
    try build(0, 1)
    try await assertEnd([["1", "0"], ["pool"]])
  }

  func testABorrowedInstanceIsNoted() async throws {
    try await assertIsNoted { resolver in [try resolver.withResolved(Pool.self) { $0 }] }
  }

  func testALazyInstanceIsNoted() async throws {
    try await assertIsNoted { [try $0.resolve(Lazy<Pool>.self)] }
  }

  func testAProviderIsNoted() async throws {
    try await assertIsNoted { [try $0.provider(for: Pool.self)] }
  }

  func testACapturedContainerIsNoted() async throws {
    try await assertIsNoted { [container] _ in [try container.resolve(Pool.self)] }
  }

  func testACycleOfLazyInstancesGoesByCompletion() async throws {
    try container.register(Pool.self, scope: .singleton, with: staged("pool")) { resolver in
      _ = try resolver.resolve(Lazy<Cache>.self)
      return Pool()
    }
    try container.register(Cache.self, scope: .singleton, with: staged("cache")) { resolver in
      _ = try resolver.resolve(Lazy<Pool>.self)
      return Cache()
    }
    _ = try container.resolve(Pool.self)
    _ = try container.resolve(Cache.self)
    try await assertEnd([["cache"], ["pool"]])
  }

  // MARK: - What keeps its order

  /// Asserts that a consumer that gets something in a way that is not followed is disposed of
  /// alone.
  private func assertKeepsItsOrder(
    file: StaticString = #filePath, line: UInt = #line,
    _ resolve: @escaping @Sendable (Resolver) throws -> [any Sendable]
  ) async throws {
    try addConsumer(0)
    try addConsumer(1)
    try addConsumer(2, resolve)
    try addConsumer(3)
    try addConsumer(4)
    try build(0, 1, 2, 3, 4)
    try await assertEnd([["4", "3"], ["2"], ["1", "0"]], file: file, line: line)
  }

  func testAnInstanceThatKeepsItsResolverKeepsItsOrder() async throws {
    try await assertKeepsItsOrder { [$0] }
  }

  func testAnInstanceThatKeepsAContainerOfItsResolverKeepsItsOrder() async throws {
    try await assertKeepsItsOrder { [try $0.container] }
  }

  func testAnInstanceThatMakesScopesKeepsItsOrder() async throws {
    try await assertKeepsItsOrder { [try $0.resolve(ScopeFactory.self)] }
  }

  func testAnInstanceThatResolvesInAnotherContainerKeepsItsOrder() async throws {
    let other = Container()
    try other.register(Pool.self, scope: .singleton) { _ in Pool() }
    try await assertKeepsItsOrder { _ in [try other.resolve(Pool.self)] }
  }

  func testAnInstanceWithAnInjectedPropertyKeepsItsOrder() async throws {
    try await assertKeepsItsOrder { _ in [Job()] }
  }

  func testAnInstanceWhoseResolverBuildsOnAnotherThreadKeepsItsOrder() async throws {
    try container.register(Cache.self, scope: .singleton) { _ in Cache() }
    try await assertKeepsItsOrder { resolver in
      try onThreads(1) { _ in _ = try resolver.resolve(Cache.self) }
      return []
    }
  }

  func testAnInstanceOfAnAsynchronousClosureKeepsItsOrder() async throws {
    try addConsumer(0)
    try addConsumer(1)
    try container.registerAsync(Pool.self, scope: .singleton, with: staged("pool")) { _ in Pool() }
    try addConsumer(3)
    try addConsumer(4)
    try build(0, 1)
    _ = try await container.resolveAsync(Pool.self)
    try build(3, 4)
    try await assertEnd([["4", "3"], ["pool"], ["1", "0"]])
  }

  func testDependentsOfAnAsynchronousClosureAreDisposedOfSideBySide() async throws {
    try container.registerAsync(Pool.self, scope: .singleton, with: staged("pool")) { _ in Pool() }
    _ = try await container.resolveAsync(Pool.self)
    for number in 0..<3 {
      try addConsumer(number) { [try $0.resolve(Pool.self)] }
      try build(number)
    }
    try await assertEnd([["0", "1", "2"], ["pool"]])
  }

  func testDependentsOfAnAsynchronousInstanceWithoutDisposersKeepTheirOrder() async throws {
    try container.registerAsync(Cache.self, scope: .singleton) { _ in Cache() }
    _ = try await container.resolveAsync(Cache.self)
    try await assertKeepsItsOrder { [try $0.resolve(Cache.self)] }
  }

  func testAValueKeepsItsOrder() async throws {
    try addConsumer(0)
    try addConsumer(1)
    try build(0, 1)
    try container.register(value: Pool(), with: staged("pool"))
    try addConsumer(3)
    try addConsumer(4)
    try build(3, 4)
    try await assertEnd([["4", "3"], ["pool"], ["1", "0"]])
  }

  func testADeclarationMakesWhatKeepsItsResolverKnown() async throws {
    for number in 0..<2 {
      try container.register(
        Consumer.self, name: Name(number), scope: .singleton,
        with: staged("\(number)").dependsOn()
      ) { Consumer(number, [$0]) }
      try build(number)
    }
    try await assertEnd([["0", "1"]])
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
