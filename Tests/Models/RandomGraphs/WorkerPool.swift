// SPDX-License-Identifier: MIT

import Foundation

/// Threads that are kept between graphs, as starting a thread takes longer than most graphs.
final class WorkerPool: @unchecked Sendable {
  // SAFETY: the variables are only touched with the condition locked.
  typealias Job = @Sendable () -> Void

  static let shared = WorkerPool()

  private let condition = NSCondition()
  private var jobs: [Job] = []
  private var idle = 0

  /// Begins all jobs at nearly the same time, each on a thread of its own.
  func begin(_ new: [Job]) {
    condition.withLock {
      jobs += new
      // A job may wait for another one: each needs a thread at once.
      for _ in idle..<max(idle, jobs.count) {
        idle += 1
        Thread.detachNewThread { self.work() }
      }
      condition.broadcast()
    }
  }

  /// Runs each of `bodies` on another thread, and waits for all of them.
  func wait<Value: Sendable>(
    _ bodies: [@Sendable () throws -> Value]
  ) -> [Result<Value, any Error>] {
    let answers = bodies.map { _ in Answer<Value>() }
    begin(zip(bodies, answers).map { body, answer in { answer.set(Result { try body() }) } })
    return answers.map { $0.wait() }
  }

  private func work() {
    while true {
      next()()
      condition.withLock { idle += 1 }
    }
  }

  private func next() -> Job {
    condition.withLock {
      while jobs.isEmpty { condition.wait() }
      idle -= 1
      return jobs.removeFirst()
    }
  }
}

extension WorkerPool {
  private final class Answer<Value: Sendable>: @unchecked Sendable {
    // SAFETY: the result is only touched with the condition locked.
    private let condition = NSCondition()
    private var result: Result<Value, any Error>?

    func set(_ result: Result<Value, any Error>) {
      condition.withLock {
        self.result = result
        condition.signal()
      }
    }

    func wait() -> Result<Value, any Error> {
      condition.withLock {
        while true {
          if let result { return result }
          condition.wait()
        }
      }
    }
  }
}
