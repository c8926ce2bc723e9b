// SPDX-License-Identifier: MIT

internal import CCorinth

/// A thread that runs a task: most often one of the few that tasks share.
struct TaskThread: Hashable, Sendable {
  /// The address of the thread's record.
  private let address: Int

  /// The calling thread; `nil` when it runs no task.
  static var current: TaskThread? {
    // `withUnsafeCurrentTask` takes 500 instructions for the same: each construction asks.
    guard unsafe swift_task_getCurrent() != nil else { return nil }
    return unsafe TaskThread(address: Int(bitPattern: corinth_thread_current()))
  }

  /// The number of threads that the tasks without an executor of their own share.
  static var countInPool: Int { Int(corinth_processor_count()) }
}
