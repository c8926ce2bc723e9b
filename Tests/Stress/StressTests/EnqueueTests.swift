// SPDX-License-Identifier: MIT

import CTestSupport
import Corinth
import TestSupport
import XCTest

/// The executor that a task begins on, or goes on, may be the user's: no lock is held as a job is
/// enqueued.
final class EnqueueTests: XCTestCase {
  override func setUp() {
    super.setUp()
    corinth_test_enqueues_are_observed(true)
  }

  override func tearDown() {
    corinth_test_enqueues_are_observed(false)
    super.tearDown()
  }

  /// A reload made the task of its disposal with the lock of the versions held.
  func testNoLockIsHeldAsTasksOfReloadsAreEnqueued() async throws {
    for isDraining in [false, true] {
      let base = Container()
      try base.registerAsync(String.self) { resolver in
        await Task.yield()
        return "\(try resolver.resolve(Int.self))"
      }.as(.singleton).dependsOn(Int.self).onDispose { _ in await Task.yield() }
      try base.register(value: 0)
      let reloadable = ReloadableContainer(base)
      for version in 1...5 {
        _ = try await reloadable.current.resolveAsync(String.self)
        try await reloadable.reload { try $0.register(value: version) }
      }
      async let late: Task<Void, any Error>? = try? reloadable.reload { try $0.register(value: 6) }
      async let end: Void = base.shutdown(draining: isDraining ? hangLimit : nil)
      _ = try await (late, end)
    }
    XCTAssertEqual(corinth_test_enqueues_with_locks(), 0)
  }

  func testNoLockIsHeldAsTasksOfScopesAndLimitsAreEnqueued() async throws {
    let container = Container()
    container.tracksScopes = true
    try container.registerAsync(String.self) { _ in
      await Task.yield()
      return ""
    }.as(.scoped).onDispose { _ in await Task.yield() }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          _ = try? await container.withScope(timeLimit: hangLimit) { scope in
            _ = try await scope.resolveAsync(String.self)
            try await Task.sleep(for: .milliseconds(1))
          }
        }
        for scope in container.statistics.openScopesByAge {
          group.addTask { try? await scope.close(workLimit: .milliseconds(1)) }
        }
      }
    }
    try await container.shutdown(draining: hangLimit)
    XCTAssertEqual(corinth_test_enqueues_with_locks(), 0)
  }
}
