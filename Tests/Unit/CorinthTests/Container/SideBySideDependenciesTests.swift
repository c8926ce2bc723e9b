// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import XCTest

@testable import Corinth

/// Dependents and dependencies that might be disposed of at once: with `maximumConcurrency`, a pair
/// keeps its order unless the instances are known to be independent.
final class SideBySideDependenciesTests: SideBySideTestCase {
  // MARK: - A dependency in between is replaced

  private func addKOfX() throws {
    try container.register(K.self, scope: .singleton) { K([try $0.resolve(X.self)]) }
  }

  func testADependencyRegisteredAgainAndBuiltAgainKeepsTheOrder() async throws {
    try addX()
    try addKOfX()
    try addA()
    try container.register(K.self, scope: .singleton) { _ in K() }
    _ = try container.resolve(K.self)
    try await assertNotTogether("a", "x")
  }

  func testADependencyRegisteredAgainAsATransientKeepsTheOrder() async throws {
    try addX()
    try addKOfX()
    try addA()
    try container.register(K.self) { _ in K() }
    try await assertNotTogether("a", "x")
  }

  func testAReleasedDependencyKeepsTheOrder() async throws {
    try addX()
    let needsX = Guarded(true)
    try container.register(K.self, scope: .singleton) {
      K(needsX.value == true ? [try $0.resolve(X.self)] : [])
    }
    try addA()
    container.release(K.self)
    needsX.value = false
    _ = try container.resolve(K.self)
    try await assertNotTogether("a", "x")
  }

  func testAReplacementThatWrapsTheReplacedInstanceKeepsTheOrder() async throws {
    try addX()
    try container.register(K.self, scope: .singleton, with: staged("a")) {
      K([try $0.resolve(X.self)])
    }
    _ = try container.resolve(K.self)
    let replacement: @Sendable (Resolver) throws -> K = { K([try $0.resolve(K.self)]) }
    try await container.replace(K.self, factory: replacement)
    try await assertNotTogether("a", "x")
  }

  func testALazyDependencyRegisteredAgainAfterItsUseKeepsTheOrder() async throws {
    try addX()
    try addKOfX()
    try container.register(A.self, scope: .singleton, with: staged("a")) {
      let lazy = try $0.resolve(Lazy<K>.self)
      return A([lazy, try lazy.value])
    }
    _ = try container.resolve(A.self)
    try container.register(K.self, scope: .singleton) { _ in K() }
    try await assertNotTogether("a", "x")
  }

  func testALazyDependencyRegisteredAgainAfterALateUseKeepsTheOrder() async throws {
    try addX()
    try addKOfX()
    try container.register(A.self, scope: .singleton, with: staged("a")) {
      A([try $0.resolve(Lazy<K>.self)])
    }
    let a = try container.resolve(A.self)
    _ = try (a.keeps[0] as? Lazy<K>)?.value
    try container.register(K.self, scope: .singleton) { _ in K() }
    try await assertNotTogether("a", "x")
  }

  func testADependencyRegisteredAgainAndNotBuiltKeepsTheOrder() async throws {
    try addX()
    try addKOfX()
    try addA()
    try container.register(K.self, scope: .singleton) { _ in K() }
    try await assertNotTogether("a", "x")
  }

  func testADependencyDecoratedAfterwardsKeepsTheOrder() async throws {
    try addX()
    let needsX = Guarded(true)
    try container.register(K.self, scope: .singleton) {
      K(needsX.value == true ? [try $0.resolve(X.self)] : [])
    }
    try addA()
    needsX.value = false
    try container.decorate(K.self) { k, _ in k }
    _ = try container.resolve(K.self)
    try await assertNotTogether("a", "x")
  }

  func testAForwardToAnotherRegistrationKeepsTheOrder() async throws {
    try addX()
    try container.forward(Part.self, to: X.self)
    try container.register(A.self, scope: .singleton, with: staged("a")) {
      A([try $0.resolve(Part.self)])
    }
    _ = try container.resolve(A.self)
    try container.register(T.self, scope: .singleton) { _ in T() }
    try container.forward(Part.self, to: T.self)
    _ = try container.resolve(Part.self)
    try await assertNotTogether("a", "x")
  }

  func testADependencyRemovedFromAChildKeepsTheOrder() async throws {
    try container.register(K.self, scope: .singleton) { _ in K() }
    let child = Container(parent: container)
    try child.register(X.self, scope: .singleton, with: staged("x")) { _ in X() }
    try child.register(K.self, scope: .singleton) { K([try $0.resolve(X.self)]) }
    try child.register(A.self, scope: .singleton, with: staged("a")) {
      A([try $0.resolve(K.self)])
    }
    _ = try child.resolve(A.self)
    child.unregister(K.self)
    try await assertNotTogether("a", "x", of: child)
  }

  // MARK: - Linked constructions

  /// S and T form a cycle, B depends on S, and S gets X later.
  private func assertLinked(
    file: StaticString = #filePath, line: UInt = #line,
    _ later: @escaping @Sendable (Resolver) throws -> any Sendable
  ) async throws {
    try addX()
    try container.register(S.self, scope: .singleton, with: staged("s")) { S([try later($0)]) }
      .afterInit { resolver, s in s.keeps.append(try resolver.resolve(T.self)) }
    try container.register(T.self, scope: .singleton) { T([try $0.resolve(S.self)]) }
    _ = try container.resolve(S.self)
    _ = try container.resolve(X.self)
    try container.register(B.self, scope: .singleton, with: staged("b")) {
      B([try $0.resolve(S.self)])
    }
    _ = try container.resolve(B.self)
    try await assertNotTogether("b", "x", file: file, line: line)
  }

  func testAnInstanceOfACycleWithALazyValueKeepsTheOrder() async throws {
    try await assertLinked { try $0.resolve(Lazy<X>.self) }
  }

  func testAnInstanceOfACycleWithAProviderKeepsTheOrder() async throws {
    try await assertLinked { try $0.provider(for: X.self) }
  }

  func testAnInstanceOfACycleThatKeepsItsResolverKeepsTheOrder() async throws {
    try await assertLinked { $0 }
  }

  func testAnInstanceOfACycleThatKeepsAContainerKeepsTheOrder() async throws {
    try await assertLinked { try $0.container }
  }

  func testAnInstanceOfACycleThatMakesScopesKeepsTheOrder() async throws {
    try await assertLinked { try $0.resolve(ScopeFactory.self) }
  }

  // MARK: - Another thread

  func testATransientThatBuildsOnAnotherThreadKeepsTheOrder() async throws {
    try addX()
    try container.register(T.self) { T([try $0.resolve(X.self)]) }
    try container.register(A.self, scope: .singleton, with: staged("a")) { resolver in
      A(try onThreads(1) { _ in try resolver.resolve(T.self) })
    }
    _ = try container.resolve(A.self)
    try await assertNotTogether("a", "x")
  }

  func testATransientWhoseResolverBuildsOnAnotherThreadKeepsTheOrder() async throws {
    try addX()
    try container.register(T.self) { resolver in
      T(try onThreads(1) { _ in try resolver.resolve(X.self) })
    }
    try container.register(A.self, scope: .singleton, with: staged("a")) {
      A([try $0.resolve(T.self)])
    }
    _ = try container.resolve(A.self)
    try await assertNotTogether("a", "x")
  }

  func testWithGraphsATransientWhoseResolverBuildsOnAnotherThreadKeepsTheOrder() async throws {
    try container.register(S.self, scope: .graph) { _ in S() }
    try await testATransientWhoseResolverBuildsOnAnotherThreadKeepsTheOrder()
  }

  func testAResolverUsedByTheConstructionOfAnotherThreadKeepsTheOrder() async throws {
    try addX()
    try container.register(T.self) { T([try $0.resolve(X.self)]) }
    let other = container
    let held = Guarded<Resolver>(nil)
    try other.register(K.self, scope: .singleton) { _ in
      let resolver = held.value!
      held.value = nil
      return K([try resolver.resolve(T.self)])
    }
    try container.register(A.self, scope: .singleton, with: staged("a")) { resolver in
      held.value = resolver
      return A(try onThreads(1) { _ in (try other.resolve(K.self)).keeps[0] })
    }
    _ = try container.resolve(A.self)
    try await assertNotTogether("a", "x")
  }

  func testAWiredInstanceBuiltOnAnotherThreadKeepsTheOrder() async throws {
    final class W: Part, @unchecked Sendable {
      convenience init(x: X, number: Int) { self.init([x]) }
    }
    try addX()
    try container.wire(W.self, arguments: Int.self, using: W.init(x:number:))
    try container.register(A.self, scope: .singleton, with: staged("a")) { resolver in
      A(try onThreads(1) { _ in try resolver.resolve(W.self, arguments: 1) })
    }
    _ = try container.resolve(A.self)
    try await assertNotTogether("a", "x")
  }

  // MARK: - Restored on every path

  func testFailuresInsideLeaveTheNotesOfTheConstructionAround() async throws {
    try addX()
    try container.register(K.self, scope: .singleton) { K([try $0.resolve(S.self)]) }
      .afterInit { _, _ in throw FixtureError("k") }
    try container.register(S.self, scope: .singleton) { _ in throw FixtureError("s") }
    try container.register(A.self, scope: .singleton, with: staged("a")) { resolver in
      for _ in 0..<3 { _ = try? resolver.resolve(K.self) }
      _ = try? resolver.resolve(S.self)
      return A([try resolver.resolve(X.self)])
    }
    _ = try container.resolve(A.self)
    try await assertNotTogether("a", "x")
  }

  func testAGraphInstanceInBetweenIsFollowed() async throws {
    try addX()
    try container.register(K.self, scope: .graph) { K([try $0.resolve(X.self)]) }
    try container.register(B.self, scope: .singleton, with: staged("b")) {
      B([try $0.resolve(K.self)])
    }
    try container.register(A.self, scope: .singleton, with: staged("a")) {
      A([try $0.resolve(B.self), try $0.resolve(K.self)])
    }
    _ = try container.resolve(A.self)
    try await assertNotTogether("a", "x")
  }

  func testAWeakInstanceInBetweenIsFollowed() async throws {
    try addX()
    try container.register(K.self, scope: .weak) { K([try $0.resolve(X.self)]) }
    let k = try container.resolve(K.self)
    try addA()
    try await assertNotTogether("a", "x")
    withExtendedLifetime(k) {}
  }

  func testAnInstanceOfADefaultKeepsTheOrder() async throws {
    try addX()
    let k = try container.resolveOrBuild(K.self) { K([try $0.resolve(X.self)]) }
    try addA()
    try await assertNotTogether("a", "x")
    withExtendedLifetime(k) {}
  }

  func testAConstructionAwaitedOnAnotherThreadIsFollowed() async throws {
    try addX()
    let begun = DispatchSemaphore(value: 0)
    try container.register(K.self, scope: .singleton, with: staged("k")) {
      begun.signal()
      Thread.sleep(forTimeInterval: 0.1)
      return K([try $0.resolve(X.self)])
    }
    let container = container
    let thread = Thread { _ = try? container.resolve(K.self) }
    thread.start()
    begun.wait()
    try addA()
    try await assertNotTogether("a", "x")
  }

  // MARK: - Misuse

  func testDisposersDoNotSeeTheCancellationOfTheShutdown() async throws {
    final class Item: Sendable {}
    let cancelled = Locked(0)
    let ended = Locked(0)
    for number in 0..<6 {
      try container.register(
        Item.self, name: Name(number), scope: .singleton,
        with: .onDispose { _ in
          try? await Task.sleep(for: .milliseconds(20))
          if Task.isCancelled { cancelled.withLock { $0 += 1 } }
          ended.withLock { $0 += 1 }
        }
      ) { _ in Item() }
      _ = try container.resolve(Item.self, name: Name(number))
    }
    let shutdown = Task { [container] in
      try await container.shutdown(timeLimit: .seconds(60), maximumConcurrency: 2)
    }
    shutdown.cancel()
    try await shutdown.value
    XCTAssertEqual(cancelled.withLock { $0 }, 0)
    XCTAssertEqual(ended.withLock { $0 }, 6)
  }

  /// An actor whose jobs run where somebody drains them, as in a run loop.
  private final class Loop: SerialExecutor, @unchecked Sendable {
    private let jobs = Locked<[UnownedJob]>([])
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      jobs.withLock { $0.append(job) }
    }
    func drain() {
      while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        unsafe job.runSynchronously(on: asUnownedSerialExecutor())
      }
    }
  }

  @globalActor
  private actor LoopActor {
    static let shared = LoopActor()
    static let loop = Loop()
    nonisolated var unownedExecutor: UnownedSerialExecutor {
      unsafe Self.loop.asUnownedSerialExecutor()
    }
  }

  func testAnAsynchronousFactoryThatRunsInsideOfAnotherFactoryKeepsTheOrder() async throws {
    try addX()
    try container.registerAsync(S.self, scope: .singleton, with: staged("s")) {
      @LoopActor resolver in S([try resolver.resolve(Lazy<X>.self)])
    }
    let container = container
    try container.register(T.self, scope: .singleton) { _ in
      let isBuilt = Locked(false)
      Task {
        _ = try await container.resolveAsync(S.self)
        isBuilt.withLock { $0 = true }
      }
      while !isBuilt.withLock({ $0 }) {
        LoopActor.loop.drain()
        Thread.sleep(forTimeInterval: 0.001)
      }
      return T()
    }
    _ = try container.resolve(T.self)
    _ = try container.resolve(X.self)
    try container.register(B.self, scope: .singleton, with: staged("b")) {
      B([try $0.resolve(S.self)])
    }
    _ = try container.resolve(B.self)
    try await assertNotTogether("b", "x")
  }
}
