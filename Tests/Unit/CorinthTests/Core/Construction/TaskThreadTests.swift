// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// Synchronous resolves that block the threads on which tasks run.
final class TaskThreadTests: AsyncTestCase {
  private final class Pool: Sendable {}
  private final class Cache: Sendable {
    init(_ pool: Pool) {}
  }
  private final class Building: @unchecked Sendable {
    // SAFETY: only touched with the lock held, which is one that ThreadSanitizer sees.
    private var stored: Construction?
    private let lock = NSLock()

    var construction: Construction? {
      get { lock.withLock { stored } }
      set { lock.withLock { stored = newValue } }
    }

    /// The number of threads that wait for what is held until the construction is complete.
    var waiters: Int {
      let construction = construction
      return WaitForGraph.withLock { _ in
        construction?.links.borrowers.reduce(0) { $0 + $1.links.waiters.count } ?? 0
      }
    }
  }

  /// The cache is held until the pool is complete, whose action waits.
  private func registerCacheHeldByPool(_ building: Building, until mayEnd: AsyncGate) throws {
    try container.registerAsync(Pool.self, scope: .singleton) { _ in Pool() }
      .afterInit { resolver, _ async throws in
        _ = try resolver.resolve(Cache.self)
        building.construction = ResolutionContext.current?.asConstruction
        await mayEnd.wait()
      }
    try container.register(Cache.self, scope: .singleton) { Cache(try $0.resolve(Pool.self)) }
  }

  /// The cache is held until the pool that it refers to is complete. The pool's action needs a
  /// thread, and all wait for the cache: random graphs hung on a machine of two processors.
  func testOneThreadGivesUpWhenAllWaitForATask() throws {
    let (building, mayEnd) = (Building(), AsyncGate())
    try registerCacheHeldByPool(building, until: mayEnd)
    let first = Task.detached { [container] in _ = try await container.resolveAsync(Pool.self) }
    while building.construction == nil { sched_yield() }

    let results = EventLog()
    let count = ProcessInfo.processInfo.activeProcessorCount
    for _ in 0..<count {
      Task.detached { [container] in
        do {
          _ = try container.resolve(Cache.self)
          results.add("the cache")
        } catch {
          let error = error as? ResolutionError
          results.add(
            error?.is(.asyncResolutionRequired) ?? false
              ? "\(error?.path.map(\.description) ?? [])" : "\(String(describing: error))")
        }
      }
    }
    while building.waiters < count { sched_yield() }
    mayEnd.open()
    blockUntil { results.entries.count == count }
    XCTAssertEqual(
      results.entries.sorted(),
      (["[\"Cache\", \"Pool\"]"] + Array(repeating: "the cache", count: count - 1)).sorted())
    withExtendedLifetime(first) {}
  }

  /// Each thread that waits is none of a task, and has another priority than the tasks whose
  /// factories wait for it. A look whether tasks of its own priority run said that they do: random
  /// graphs hung.
  func testAThreadGivesUpForUrgentTasksWhoseFactoriesWaitForIt() throws {
    final class Reader: Sendable {}
    let (building, mayEnd) = (Building(), AsyncGate())
    try registerCacheHeldByPool(building, until: mayEnd)
    try container.register(Reader.self, scope: .graph) { resolver in
      try JoinableThread { _ = try resolver.resolve(Cache.self) }.join().get()
      return Reader()
    }
    let first = Task.detached(priority: .high) { [container] in
      _ = try await container.resolveAsync(Pool.self)
    }
    while building.construction == nil { sched_yield() }

    let results = EventLog()
    let count = ProcessInfo.processInfo.activeProcessorCount
    for _ in 0..<count {
      Task.detached(priority: .high) { [container] in
        do {
          _ = try container.resolve(Reader.self)
          results.add("a reader")
        } catch {
          let isRefusal = (error as? ResolutionError)?.is(.asyncResolutionRequired) ?? false
          results.add(isRefusal ? "refused" : "\(error)")
        }
      }
    }
    while building.waiters < count { sched_yield() }
    mayEnd.open()
    blockUntil { results.entries.count == count }
    XCTAssertEqual(
      results.entries.sorted(),
      Array(repeating: "a reader", count: count - 1) + ["refused"])
    withExtendedLifetime(first) {}
  }
}
