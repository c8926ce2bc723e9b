// SPDX-License-Identifier: MIT

/// Runs each part of a task where it is enqueued: a task that is resumed goes on inside of the call
/// that resumes it, and a new one begins inside of the call that makes it.
///
/// This orders what is a race on other executors. A task that blocks on this one blocks the other
/// task, too.
final class InlineExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    // SAFETY: the executor outlives the call.
    unsafe UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
  }
}
