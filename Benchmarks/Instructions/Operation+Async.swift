// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth
import Foundation

extension Operation {
  /// Whether the operation is done in a task, on any threads.
  var isAsynchronous: Bool {
    switch self {
    case .asyncSingleton, .asyncTransient, .asyncScopedHit, .asyncFactory, .asyncScopeSync,
      .asyncScope, .mutexAsyncTransient, .mutexAsyncFactory, .mutexAsyncScopeSync, .mutexAsyncScope:
      true
    default: false
    }
  }

  /// The loop of an operation in a task, and the wait for the task.
  func makeAsyncLoop(_ container: Container) throws -> Loop {
    switch self {
    case .asyncSingleton:
      try container.registerAsync(Service.self, scope: .singleton) { _ in Service() }
      return inTask { count in
        for _ in 0..<count { blackHole(try await container.resolveAsync(Service.self)) }
      }
    case .asyncTransient:
      try container.register(Leaf.self) { _ in Leaf(state: 1) }
      return inTask { count in
        for _ in 0..<count { blackHole(try await container.resolveAsync(Leaf.self)) }
      }
    case .asyncScopedHit:
      try container.register(Leaf.self, scope: .scoped) { _ in Leaf(state: 1) }
      let scope = container.makeScope()
      return inTask { count in
        for _ in 0..<count { blackHole(try await scope.resolveAsync(Leaf.self)) }
      }
    case .asyncFactory:
      try container.registerAsync(Leaf.self) { _ in Leaf(state: 1) }
      return inTask { count in
        for _ in 0..<count { blackHole(try await container.resolveAsync(Leaf.self)) }
      }
    case .asyncScopeSync:
      try container.register(Leaf.self, scope: .scoped) { _ in Leaf(state: 1) }
      return inTask { count in
        for _ in 0..<count {
          try await container.withScope { scope in blackHole(try scope.resolve(Leaf.self)) }
        }
      }
    default:
      try container.register(Leaf.self, scope: .scoped) { _ in Leaf(state: 1) }
      return inTask { count in
        for _ in 0..<count {
          try await container.withScope { scope in
            blackHole(try await scope.resolveAsync(Leaf.self))
          }
        }
      }
    }
  }

  /// The loop of an operation on an instance that is kept for a time, or for an argument.
  func makeKeptLoop(_ container: Container) throws -> Loop {
    switch self {
    case .cached:
      try container.register(Service.self, scope: .cached(for: .seconds(3600))) { _ in Service() }
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Service.self)) }
      }
    default:
      try container.register(Leaf.self, scope: .singleton) { (_, state: Int) in Leaf(state: state) }
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Leaf.self, arguments: 7)) }
      }
    }
  }
}

func inTask(
  _ body: nonisolated(nonsending) @escaping @Sendable (_ count: Int) async throws -> Void
) -> Operation.Loop {
  { count in
    let finished = DispatchSemaphore(value: 0)
    Task {
      TracedRun.waitForTasks()
      do {
        try await body(count)
      } catch {
        fail("An operation failed: \(error)")
      }
      finished.signal()
    }
    finished.wait()
  }
}
