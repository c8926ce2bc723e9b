// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// Synchronous resolves on threads that run tasks, of instances that need a task.
final class TaskThreadTests: AsyncTestCase {
  private final class Pool: Sendable {}
  private final class Cache: Sendable {
    init(_ pool: Pool) {}
  }
  private final class Reader: Sendable {}

  private final class Building: @unchecked Sendable {
    // SAFETY: only touched with the lock held, which is one that ThreadSanitizer sees.
    private var stored: Construction?
    private let lock = NSLock()

    var construction: Construction? {
      get { lock.withLock { stored } }
      set { lock.withLock { stored = newValue } }
    }

    /// The number of resolves that wait for the construction.
    var waiters: Int {
      let construction = construction
      return WaitForGraph.withLock { _ in construction?.links.waiters.count ?? 0 }
    }
  }

  private let cache = Building()
  private let mayPoolEnd = AsyncGate()
  private let results = EventLog()

  /// The cache is held until the pool to which it refers is complete, whose action waits.
  ///
  /// - Returns: the task that asks for the pool.
  private func holdCache() throws -> Task<Void, any Error> {
    let isHeld = AtomicCounter()
    try container.registerAsync(Pool.self, scope: .singleton) { _ in Pool() }
      .afterInit { [mayPoolEnd] resolver, _ async throws in
        _ = try resolver.resolve(Cache.self)
        isHeld.add()
        await mayPoolEnd.wait()
      }
    try container.register(Cache.self, scope: .singleton) { [cache] resolver in
      cache.construction = ResolutionContext.current?.asConstruction
      return Cache(try resolver.resolve(Pool.self))
    }
    let pool = Task.detached { [container] in _ = try await container.resolveAsync(Pool.self) }
    blockUntil { isHeld.value > 0 }
    return pool
  }

  /// Resolves synchronously in a task, and notes the result.
  private func resolveInTask<Product: Sendable>(
    _ product: Product.Type, priority: TaskPriority? = nil
  ) {
    Task.detached(priority: priority) { [container, results] in
      do {
        _ = try container.resolve(product)
        results.add("an instance")
      } catch {
        let error = error as? ResolutionError
        results.add(
          error?.is(.asyncResolutionRequired) ?? false
            ? "\(error?.path.map(\.description) ?? [])" : "\(String(describing: error))")
      }
    }
  }

  /// Resolves in a task what is being built, and then lets the construction go on.
  private func assertAWaitInATask<Product: Sendable>(
    for product: Product.Type, _ building: Building, ends result: String, once goOn: () -> Void,
    line: UInt = #line
  ) {
    resolveInTask(product)
    blockUntil { building.waiters == 1 }
    goOn()
    blockUntil { results.entries.count == 1 }
    XCTAssertEqual(results.entries, [result], line: line)
  }

  private func assertEnds(_ pool: Task<Void, any Error>) {
    mayPoolEnd.open()
    let isComplete = AtomicCounter()
    Task.detached {
      if case .success = await pool.result { isComplete.add() }
    }
    blockUntil { isComplete.value > 0 }
    XCTAssertEqual(isComplete.value, 1)
  }

  /// Random graphs hung on a machine of two processors: all threads waited for the pool's task.
  func testAResolveInATaskOfWhatNeedsATaskFailsAtOnce() throws {
    let pool = try holdCache()
    let count = ProcessInfo.processInfo.activeProcessorCount + 1
    for _ in 0..<count { resolveInTask(Cache.self) }
    blockUntil { results.entries.count == count }
    XCTAssertEqual(results.entries, Array(repeating: "[\"Cache\", \"Pool\"]", count: count))
    assertEnds(pool)
    resolveInTask(Cache.self)
    blockUntil { results.entries.count == count + 1 }
    XCTAssertEqual(results.entries.last, "an instance", "a ready instance is served")
  }

  func testAThreadWithoutATaskAndAnAsynchronousResolveWaitForATask() throws {
    let pool = try holdCache()
    let thread = JoinableThread { [container] in _ = try container.resolve(Cache.self) }
    let task = Task.detached { [container] in _ = try await container.resolveAsync(Cache.self) }
    blockUntil { cache.waiters == 2 }
    assertEnds(pool)
    try thread.join().get()
    assertEnds(task)
  }

  /// The threads that resolve run no task, but factories of tasks wait for these threads.
  func testAThreadForWhichAFactoryInATaskWaitsIsRefusedToo() throws {
    let pool = try holdCache()
    try container.register(Reader.self, scope: .graph) { resolver in
      try JoinableThread { _ = try resolver.resolve(Cache.self) }.join().get()
      return Reader()
    }
    let count = ProcessInfo.processInfo.activeProcessorCount
    for _ in 0..<count { resolveInTask(Reader.self, priority: .high) }
    blockUntil { results.entries.count == count }
    XCTAssertEqual(
      results.entries, Array(repeating: "[\"Reader\", \"Cache\", \"Pool\"]", count: count))
    assertEnds(pool)
  }

  func testAWaitInATaskEndsWhenItsInstanceIsHeldForATask() throws {
    let (isBuilding, mayReturn) = (AtomicCounter(), AtomicCounter())
    try container.registerAsync(Pool.self, scope: .singleton) { _ in Pool() }
      .afterInit { [mayPoolEnd] resolver, _ async throws in
        try await withCheckedThrowingContinuation { continuation in
          Thread.detachNewThread {
            continuation.resume(with: Result { _ = try resolver.resolve(Cache.self) })
          }
        }
        await mayPoolEnd.wait()
      }
    try container.register(Cache.self, scope: .singleton) { [cache] resolver in
      cache.construction = ResolutionContext.current?.asConstruction
      let pool = try resolver.resolve(Pool.self)
      isBuilding.add()
      blockUntil { mayReturn.value > 0 }
      return Cache(pool)
    }
    let pool = Task.detached { [container] in _ = try await container.resolveAsync(Pool.self) }
    blockUntil { isBuilding.value > 0 }
    assertAWaitInATask(for: Cache.self, cache, ends: "[\"Cache\", \"Pool\"]") { mayReturn.add() }
    assertEnds(pool)
  }

  func testAWaitInATaskEndsWhenTheThreadThatBuildsWaitsForATask() throws {
    let pool = try holdCache()
    let (reader, isBuilding, mayGoOn) = (Building(), AtomicCounter(), AtomicCounter())
    try container.register(Reader.self, scope: .singleton) { resolver in
      reader.construction = ResolutionContext.current?.asConstruction
      isBuilding.add()
      blockUntil { mayGoOn.value > 0 }
      _ = try resolver.resolve(Cache.self)
      return Reader()
    }
    let builder = JoinableThread { [container] in _ = try container.resolve(Reader.self) }
    blockUntil { isBuilding.value > 0 }
    assertAWaitInATask(for: Reader.self, reader, ends: "[\"Reader\", \"Pool\"]") { mayGoOn.add() }
    assertEnds(pool)
    try builder.join().get()
  }
}
