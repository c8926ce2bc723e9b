// SPDX-License-Identifier: MIT

import Foundation

/// An executor with a separate thread, which tasks can prefer: these tasks go on while all threads
/// of the cooperative pool are blocked.
public final class OwnThread: TaskExecutor, @unchecked Sendable {
  // SAFETY: the variables are only touched with the condition locked.
  private let condition = NSCondition()
  private var jobs: [UnownedJob] = []

  /// The thread stays until the process ends.
  public init() {
    Thread.detachNewThread { [self] in
      while true { unsafe next().runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }

  private func next() -> UnownedJob {
    condition.withLock {
      while jobs.isEmpty { condition.wait() }
      return jobs.removeFirst()
    }
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.withLock {
      jobs.append(job)
      condition.signal()
    }
  }

  /// Runs `body` in a task here, and blocks the calling thread until that has ended.
  public func run<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let outcome = ThreadEntry.Outcome<Value>()
    let end = DispatchSemaphore(value: 0)
    Task(executorPreference: self) {
      do { outcome.set(.success(try await body())) } catch { outcome.set(.failure(error)) }
      end.signal()
    }
    end.wait()
    return try outcome.get().get()
  }
}
