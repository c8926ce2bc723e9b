// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth
import Dispatch
import Synchronization

extension Operation {
  /// Whether a task does it.
  var isAsynchronous: Bool {
    switch self {
    case .asyncSingleton, .asyncTransient, .asyncScopedHit, .asyncFactory, .asyncScopeSynchronous,
      .asyncScope:
      true
    default: false
    }
  }

  /// The loop of an operation of a task.
  func makeAsyncLoop(_ container: Container) throws -> Loop {
    let operation = try makeAsyncOperation(container)
    return { count in
      let isDone = DispatchSemaphore(value: 0)
      let failure = Mutex<(any Error)?>(nil)
      Task {
        do { try await operation(count) } catch { failure.withLock { $0 = error } }
        isDone.signal()
      }
      isDone.wait()
      if let error = failure.withLock({ $0 }) { throw error }
    }
  }

  private func makeAsyncOperation(
    _ container: Container
  ) throws -> @Sendable (_ count: Int) async throws -> Void {
    switch self {
    case .asyncSingleton:
      try container.registerAsync(Service.self, scope: .singleton) { _ in Service() }
      return { count in
        for _ in 0..<count { blackHole(try await container.resolveAsync(Service.self)) }
      }
    case .asyncTransient:
      try container.register(Leaf.self) { _ in Leaf(state: 1) }
      return { count in
        for _ in 0..<count { blackHole(try await container.resolveAsync(Leaf.self)) }
      }
    case .asyncScopedHit:
      try container.register(Leaf.self, scope: .scoped) { _ in Leaf(state: 1) }
      let scope = container.makeScope()
      return { count in
        for _ in 0..<count { blackHole(try await scope.resolveAsync(Leaf.self)) }
      }
    case .asyncFactory:
      try container.registerAsync(Leaf.self) { _ in Leaf(state: 1) }
      return { count in
        for _ in 0..<count { blackHole(try await container.resolveAsync(Leaf.self)) }
      }
    case .asyncScopeSynchronous:
      try container.register(Leaf.self, scope: .scoped) { _ in Leaf(state: 1) }
      return { count in
        for _ in 0..<count {
          try await container.withScope { scope in blackHole(try scope.resolve(Leaf.self)) }
        }
      }
    default:
      try container.register(Leaf.self, scope: .scoped) { _ in Leaf(state: 1) }
      return { count in
        for _ in 0..<count {
          try await container.withScope { scope in
            blackHole(try await scope.resolveAsync(Leaf.self))
          }
        }
      }
    }
  }
}
