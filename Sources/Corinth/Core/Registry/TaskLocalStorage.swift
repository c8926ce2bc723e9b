// SPDX-License-Identifier: MIT

internal import CCorinth

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
