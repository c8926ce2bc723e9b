// SPDX-License-Identifier: MIT

internal import CCorinth

/// A thread that runs a task: most often one of the few threads shared by tasks.
enum TaskThread {
  /// Whether the calling thread is one.
  static var isCurrent: Bool {
    // `withUnsafeCurrentTask` takes 500 instructions instead: every construction asks.
    unsafe swift_task_getCurrent() != nil
  }
}

/// The memory of a task's task-local values.
enum TaskLocalStorage {
  /// The address of a task-local value in the calling task; `nil` without a value. A child task
  /// finds the value at the parent's address, other tasks have a copy.
  ///
  /// - Parameter key: the object that declares the value.
  static func address(ofValueDeclaredBy key: AnyObject) -> UnsafeRawPointer? {
    // SAFETY: the runtime compares the address of the object, and reads nothing through it.
    unsafe UnsafeRawPointer(swift_task_localValueGet(Unmanaged.passUnretained(key).toOpaque()))
  }
}

/// The construction run by the calling thread, from the thread's record: an address at +0.
enum RunningConstruction {
  /// `nil` outside of constructions. Never held across an `await`.
  // SAFETY: a thread's record is never freed, and only its own thread uses the record.
  static var address: UnsafeMutableRawPointer? {
    get { unsafe corinth_thread_construction(corinth_thread_current()) }
    set { unsafe corinth_thread_set_construction(corinth_thread_current(), newValue) }
  }
}

/// The order between the end of a wait and the task that goes on, for ThreadSanitizer.
///
/// A continuation may be resumed before its task has suspended: resumption and suspension meet at
/// an atomic of the Swift runtime, which is not instrumented. No instruction in other builds.
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
