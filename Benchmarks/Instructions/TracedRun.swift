// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Foundation
import Synchronization

/// Operations on two threads at once, for a trace of the program: `Scripts/count-operations` reads
/// it between two marks.
enum TracedRun {
  /// The options by which the script asks for a run, and for the names of the operations.
  static let mapsOption = "--traced"
  static let listOption = "--list-traced"

  /// The operations in a table of counts.
  static let operations: [Operation] = [
    .request, .mutexRequest, .directRequest, .singleton, .storedName, .withResolved, .provider,
    .transient, .combined, .complex, .scopedHit, .warmHandler, .emptyScope, .requestScope,
    .disposingScope, .scopedAndInputs, .scopeOf48, .handler, .graph, .trackedTransient, .cached,
    .argumentHit, .overriding, .childRegistering, .asyncSingleton, .asyncTransient, .asyncFactory,
    .asyncScopeSync, .asyncScope,
    // The last: their behaviors stay.
    .graphBesideBehaviors, .requestBesideBehaviors,
  ]

  private static let threads = 2
  /// Enough for a thread's caches and recycled memory.
  private static let warmUp = 20

  /// - Parameter path: where to write the places of the program and of its libraries in memory.
  static func run(_ operations: [Operation], count: Int, mapsAt path: String) throws {
    // In parts: the file has no length.
    let maps = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/maps")).readToEnd()
    try maps?.write(to: URL(fileURLWithPath: path), options: .atomic)
    for operation in operations { try run(operation, count: count) }
  }

  private static func run(_ operation: Operation, count: Int) throws {
    let loop = try operation.makeLoop()
    // SAFETY: the loops of `operations` are of containers and their providers, which are safe to
    // use from any thread.
    nonisolated(unsafe) let shared = loop
    let ready = Ready()
    onThreads(threads) { _ in
      do {
        try unsafe shared(warmUp)
        ready.waitForAll(threads)
        tracedTasks.withLock { $0 = $0 ?? Ready() }
        tracedRunBegins()
        try unsafe shared(count)
        tracedRunEnds()
      } catch {
        fail("An operation failed: \(error)")
      }
    }
    tracedTasks.withLock { $0 = nil }
    // The script looks at the objects that are shared.
    _ = readLine()
  }

  /// Waits in a task of a traced run for the task of the second thread: the first task could end
  /// before the second task has a thread to run on.
  static func waitForTasks() {
    tracedTasks.withLock { $0 }?.waitForAll(threads)
  }

  /// The tasks of the run under trace.
  private static let tracedTasks = Mutex<Ready?>(nil)

  /// Threads that have warmed up, or tasks that have begun.
  private final class Ready: Sendable {
    private let arrivals = Atomic(0)

    /// The wait has a limit: a machine with one core has one thread for all tasks.
    func waitForAll(_ count: Int) {
      arrivals.add(1, ordering: .acquiringAndReleasing)
      let begin = monotonicNanoseconds()
      while arrivals.load(ordering: .acquiring) < count,
        monotonicNanoseconds() - begin < 10_000_000_000
      {
        sched_yield()
      }
    }
  }
}

// The script finds the functions by their names.

@inline(never)
@_optimize(none)
private func tracedRunBegins() {}

@inline(never)
@_optimize(none)
private func tracedRunEnds() {}
