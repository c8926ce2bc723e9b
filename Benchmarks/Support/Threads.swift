// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// Nanoseconds of a clock that never goes back, counted from an unspecified moment.
public func monotonicNanoseconds() -> UInt64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Runs `body` on `count` new threads, which begin together, and waits for all of them.
///
/// - Returns: the nanoseconds from the first thread's beginning to the last one's end, without the
///   time that starting and ending threads takes.
@discardableResult
public func onThreads(_ count: Int, _ body: @escaping @Sendable (_ index: Int) -> Void) -> UInt64 {
  let run = ThreadRun(count: count)
  for index in 0..<count {
    let thread = Thread {
      run.waitForOthers()
      let begin = monotonicNanoseconds()
      body(index)
      run.finish(from: begin, to: monotonicNanoseconds())
    }
    thread.name = "benchmark \(index)"
    thread.start()
  }
  return run.wait()
}

/// Runs `body` in `count` new tasks, which begin together if possible, and waits for all of them.
///
/// - Returns: the nanoseconds from the first task's beginning to the last one's end.
func inTasks(
  _ count: Int, _ body: @escaping @Sendable (_ index: Int) async throws -> Void
) async throws -> UInt64 {
  let run = ThreadRun(count: count)
  try await withThrowingTaskGroup(of: Void.self) { group in
    for index in 0..<count {
      group.addTask {
        // A task that ends before a second task has begun would leave its thread to the second
        // task, and both would run one after the other. The wait has a limit: the runtime may have
        // fewer threads than there are tasks.
        run.waitForOthers(atMost: 10_000_000)
        let begin = monotonicNanoseconds()
        try await body(index)
        run.finish(from: begin, to: monotonicNanoseconds())
      }
    }
    try await group.waitForAll()
  }
  return run.wait()
}

/// The state shared by the threads of one `onThreads`, or by the tasks of one `inTasks`.
private final class ThreadRun: Sendable {
  private let arrivals = Atomic(0)
  private let count: Int
  private let span = Mutex((begin: UInt64.max, end: UInt64.min))
  private let finished = DispatchSemaphore(value: 0)

  init(count: Int) {
    self.count = count
  }

  /// Spins, so that the threads begin within less than a wake-up takes.
  func waitForOthers(atMost nanoseconds: UInt64 = .max) {
    let begin = monotonicNanoseconds()
    arrivals.add(1, ordering: .acquiringAndReleasing)
    while arrivals.load(ordering: .acquiring) < count,
      monotonicNanoseconds() - begin < nanoseconds
    {
      sched_yield()
    }
  }

  func finish(from begin: UInt64, to end: UInt64) {
    span.withLock { $0 = (min($0.begin, begin), max($0.end, end)) }
    finished.signal()
  }

  func wait() -> UInt64 {
    for _ in 0..<count { finished.wait() }
    return span.withLock { $0.end - $0.begin }
  }
}
