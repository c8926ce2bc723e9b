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
    return ofCaller
  }

  /// The calling thread, which runs tasks now and then.
  @inline(__always)
  static var ofCaller: TaskThread {
    unsafe TaskThread(address: Int(bitPattern: corinth_thread_current()))
  }

  /// The number of threads that the tasks without an executor of their own share.
  static var countInPool: Int { Int(corinth_processor_count()) }
}

/// The memory of a task's task-local values.
enum TaskLocalStorage {
  /// The address at which the calling task finds a task-local value; `nil` when there is none. Child tasks find it at
  /// the address where their parent does, other tasks have a copy.
  ///
  /// - Parameter key: the object that declares the value.
  static func address(ofValueDeclaredBy key: AnyObject) -> UnsafeRawPointer? {
    // SAFETY: the runtime compares the address of the object, and reads nothing through it.
    unsafe UnsafeRawPointer(swift_task_localValueGet(Unmanaged.passUnretained(key).toOpaque()))
  }
}

/// The construction that the calling thread is running, from the thread's record: an address at +0.
enum RunningConstruction {
  /// `nil` when the thread runs none. Never held across an `await`.
  // SAFETY: a thread's record is never freed, and only its own thread uses it.
  static var address: UnsafeMutableRawPointer? {
    get { unsafe corinth_thread_construction(corinth_thread_current()) }
    set { unsafe corinth_thread_set_construction(corinth_thread_current(), newValue) }
  }
}

/// The order between the end of a wait and the task that goes on, for ThreadSanitizer.
///
/// A continuation may be resumed before its task has suspended. The two meet at an atomic of the Swift runtime, which is
/// not instrumented. No instruction in other builds.
enum ResumptionOrder {
  // SAFETY, of both: the address is compared, and nothing is read through it.

  /// Before the continuation is resumed.
  static func release(_ wait: AnyObject) {
    unsafe corinth_tsan_release(Unmanaged.passUnretained(wait).toOpaque())
  }

  /// When the task goes on.
  static func acquire(_ wait: AnyObject) {
    unsafe corinth_tsan_acquire(Unmanaged.passUnretained(wait).toOpaque())
  }
}
