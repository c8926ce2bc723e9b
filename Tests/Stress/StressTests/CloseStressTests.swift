// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Scopes that are closed while others resolve from them.
final class CloseStressTests: StressTestCase {
  private final class Handle: Tracked, @unchecked Sendable {
    let disposals = AtomicCounter()
  }

  private let resolvers = 6
  private let keys = 4
  private let rounds = StressSize.scaled(2_000, sanitized: 200)

  /// What one test's factories have built.
  private struct Built: Sendable {
    let tracker = LifetimeTracker()
    let disposed = AtomicCounter()
    let resolved = AtomicCounter()
    let refused = AtomicCounter()

    func make(_ patience: Int) -> Handle {
      for _ in 0..<patience { sched_yield() }
      return Handle(tracker)
    }

    @Sendable func dispose(_ handle: Handle) {
      XCTAssertEqual(handle.disposals.add(), 1, "disposed of twice")
      disposed.add()
    }

    /// Counts how a resolve ended. One that got an instance keeps it until the scope has closed.
    func count(_ resolve: () throws -> Handle) throws -> Handle? {
      do {
        let handle = try resolve()
        resolved.add()
        return handle
      } catch ResolutionError.containerClosed {
        refused.add()
        return nil
      }
    }
  }

  /// - Parameter resolve: receives the scope and the index of the thread.
  private func closeBeside(
    _ built: Built, makeScope: () throws -> Container,
    resolve: @escaping @Sendable (Container, Int) throws -> Handle
  ) throws {
    let closers = 2
    for round in 0..<rounds {
      let scope = try makeScope()
      let handles = try onThreads(resolvers + closers) { [resolvers] index in
        guard index < resolvers else {
          for _ in 0..<(round % 7) { sched_yield() }
          try scope.syncClose()
          return nil as Handle?
        }
        return try built.count { try resolve(scope, index) }
      }
      for handle in handles.compactMap({ $0 }) {
        XCTAssertEqual(handle.disposals.value, 1, "resolved, and not disposed of")
      }
      XCTAssertEqual(built.disposed.value, built.tracker.created, "built, and not disposed of")
    }
    assertNoneLeft(built.tracker)
    XCTAssertEqual(built.resolved.value + built.refused.value, rounds * resolvers)
  }

  func testScopedInstances() throws {
    let built = Built()
    let container = Container()
    for key in 0..<keys {
      try container.register(Handle.self, name: Name(key), scope: .scoped) { _ in
        built.make(key)
      }.onDispose(perform: built.dispose)
    }
    try closeBeside(built) {
      container.makeScope()
    } resolve: { [keys] scope, index in
      try scope.resolve(Handle.self, name: Name(index % keys))
    }
  }

  func testScopedInstancesOfScopedInstances() throws {
    let built = Built()
    let container = Container()
    for key in 0..<keys {
      try container.register(Handle.self, name: Name(key), scope: .scoped) { resolver in
        if key > 0 { _ = try resolver.resolve(Handle.self, name: Name(key - 1)) }
        return built.make(1)
      }.onDispose(perform: built.dispose)
    }
    try closeBeside(built) {
      container.makeScope()
    } resolve: { [keys] scope, index in
      try scope.resolve(Handle.self, name: Name(keys - 1 - index % keys))
    }
  }

  func testScopedInstancesPerArgument() throws {
    let built = Built()
    let container = Container()
    try container.register(Handle.self, scope: .scoped) { (_, value: Int) in built.make(value) }
      .onDispose(perform: built.dispose)
    try closeBeside(built) {
      container.makeScope()
    } resolve: { [keys] scope, index in
      try scope.resolve(Handle.self, arguments: index % keys)
    }
  }

  func testSingletonsOfAScope() throws {
    let built = Built()
    let container = Container()
    try closeBeside(built) {
      let scope = container.makeScope()
      for key in 0..<2 {
        try scope.register(Handle.self, name: Name(key), scope: .singleton) { _ in
          built.make(key)
        }.onDispose(perform: built.dispose)
      }
      try scope.register(Handle.self, scope: .singleton) { (_, value: Int) in built.make(value) }
        .onDispose(perform: built.dispose)
      return scope
    } resolve: { scope, index in
      index < 2
        ? try scope.resolve(Handle.self, name: Name(index % 2))
        : try scope.resolve(Handle.self, arguments: index % 2)
    }
  }

  func testFactoriesThatFailAndDisposersThatThrow() throws {
    let built = Built()
    let container = Container()
    struct Refusal: Error {}
    try container.register(Handle.self, scope: .scoped) { _ in
      let handle = built.make(2)
      if handle.serial % 3 == 0 {
        built.dispose(handle)
        throw Refusal()
      }
      return handle
    }.onDispose { handle in
      built.dispose(handle)
      throw Refusal()
    }
    for _ in 0..<rounds {
      let scope = container.makeScope()
      try onThreads(resolvers) { index in
        do {
          if index == 0 { try scope.syncClose() } else { _ = try scope.resolve(Handle.self) }
        } catch is CloseError {
        } catch ResolutionError.containerClosed {
        } catch ResolutionError.underlyingError {
        }
      }
      XCTAssertEqual(built.disposed.value, built.tracker.created)
    }
    assertNoneLeft(built.tracker)
  }

  func testAsynchronousInstancesAndDisposers() async throws {
    let built = Built()
    let container = Container()
    for key in 0..<keys {
      try container.registerAsync(Handle.self, name: Name(key), scope: .scoped) { _ in
        for _ in 0..<key { await Task.yield() }
        return built.make(0)
      }.onDispose { handle in
        await Task.yield()
        built.dispose(handle)
      }
    }
    for _ in 0..<StressSize.scaled(500, sanitized: 100) {
      let scope = container.makeScope()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<(resolvers + 2) {
          group.addTask { [resolvers, keys] in
            guard index < resolvers else { return try await scope.close() }
            do {
              _ = try await scope.resolveAsync(Handle.self, name: Name(index % keys))
            } catch ResolutionError.containerClosed {}
          }
        }
        try await group.waitForAll()
      }
      XCTAssertEqual(built.disposed.value, built.tracker.created)
    }
    await built.tracker.waitUntilNoneIsLeft()
    assertNoneLeft(built.tracker)
  }
}
