// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Resolves that waited for a task while other tasks kept all threads of the pool busy.
///
/// After five seconds without a task that began, a resolve was refused with
/// asyncResolutionRequired, although the tasks went on later: on a thread that is none of the
/// pool's, too, where a resolve waits.
final class BusyPoolDefectTests: AsyncTestCase {
  private final class Store: Sendable {}
  private final class Index: Sendable {}
  private final class Search: Sendable {
    init(_ index: Index) {}
  }

  private let mayEnd = AsyncGate()
  private let isIndexHeld = AsyncGate()

  /// Longer than any resolve waited for a task to begin.
  private let busyTime: TimeInterval = 7

  /// The index is held until the store is complete, which it refers to. That takes until ``mayEnd``
  /// is open.
  private func holdIndex() async throws -> Task<Void, any Error> {
    try container.registerAsync(Store.self, scope: .singleton) { _ in Store() }
      .afterInit { [mayEnd, isIndexHeld] resolver, _ async throws in
        _ = try await resolver.resolveAsync(Index.self)
        isIndexHeld.open()
        await mayEnd.wait()
      }
    try container.register(Index.self, scope: .singleton) { _ in Index() }
      .afterInit { resolver, _ in _ = try resolver.resolve(Store.self) }
    try container.register(Search.self, scope: .singleton) { Search(try $0.resolve(Index.self)) }
    let store = Task.detached { [container] in _ = try await container.resolveAsync(Store.self) }
    await isIndexHeld.wait()
    return store
  }

  /// Begins tasks that compute on all threads of the pool, and then lets the store be completed.
  private func computeOnAllThreads() {
    let busy = ProcessInfo.processInfo.activeProcessorCount
    let end = Date(timeIntervalSinceNow: busyTime)
    for _ in 0..<busy {
      Task.detached { [mayEnd] in
        var number: UInt64 = 1
        while Date() < end { number = number &* 3 }
        if number != 0 { mayEnd.open() }
      }
    }
  }

  func testAFactoryOnAThreadOfItsOwnWaitsUntilTheTasksGoOn() async throws {
    let store = try await holdIndex()
    let hasEnded = AsyncGate()
    let search = JoinableThread { [container] in
      defer { hasEnded.open() }
      _ = try container.resolve(Search.self)
    }
    computeOnAllThreads()
    await hasEnded.wait()
    try search.join().get()
    try await store.value
  }
}
