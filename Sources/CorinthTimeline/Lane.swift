// SPDX-License-Identifier: MIT

internal import Foundation

/// The running task, or the thread outside of tasks.
enum Lane: Hashable {
  case task(Int)
  case thread(ObjectIdentifier)

  static var current: Lane {
    // The hash of a task is the hash of the task's address, which no second task has meanwhile.
    unsafe withUnsafeCurrentTask { task in unsafe task.map { unsafe .task($0.hashValue) } }
      ?? .thread(ObjectIdentifier(Thread.current))
  }
}
