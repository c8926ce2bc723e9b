// SPDX-License-Identifier: MIT

import Foundation

/// Threads that are kept from one graph to the next, as starting one takes longer than most graphs.
final class WorkerPool: @unchecked Sendable {
  // SAFETY: the variables are only touched with the condition locked.
  typealias Job = @Sendable () -> Void

  static let shared = WorkerPool()

  private let condition = NSCondition()
  private var jobs: [Job] = []
  private var idle = 0

  /// Begins all of them at nearly the same time, each on a thread of its own.
  func begin(_ new: [Job]) {
    condition.withLock {
      jobs += new
      // A job may wait for another one: none is left without a thread.
      for _ in idle..<max(idle, jobs.count) {
        idle += 1
        Thread.detachNewThread { self.work() }
      }
      condition.broadcast()
    }
  }

  /// Runs `body` on another thread, and waits for it.
  func wait<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
    let answer = Answer<Value>()
    begin([{ answer.set(Result { try body() }) }])
    return try answer.wait().get()
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
