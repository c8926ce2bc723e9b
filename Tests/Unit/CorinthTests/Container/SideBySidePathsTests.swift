// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// Which ways from one instance to another are followed, so that the two are disposed of in order
/// and all others beside them, and which are not, so that an instance is disposed of alone.
final class SideBySidePathsTests: SideBySideConsumersTestCase {
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
}
