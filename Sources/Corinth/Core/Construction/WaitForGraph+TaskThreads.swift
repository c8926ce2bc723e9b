// SPDX-License-Identifier: MIT

/// The waits of threads that run tasks.
///
/// A synchronous resolve in a task blocks such a thread until the instance is published. That may take a task: an instance
/// is held until the asynchronous one is complete that it refers to. There are as many such threads as processors. If all
/// wait for tasks, no task goes on.
///
/// A thread that has waited for a second looks whether this is so, and gives up. The others then go on.
extension WaitForGraph {
  /// The waits of threads that run tasks.
  // SAFETY: only touched with the mutex held, or in a child process just forked, which has one thread.
  nonisolated(unsafe) private static var waitsOnTaskThreads: [Wait] = []

  /// Blocks the calling thread, which runs a task, until a wait in the graph ends.
  static func block(in wait: Wait, on latch: Latch) {
    withLock { _ in unsafe waitsOnTaskThreads.append(wait) }
    while !latch.wait(milliseconds: 1_000) {
      withLock { resumed in
        guard let key = taskAwaitedInVain(by: wait) else { return }
        wait.end(.refused(key))
        resumed.append(wait)
      }
    }
    withLock { _ in unsafe waitsOnTaskThreads.removeAll { $0 === wait } }
  }

  /// The key that a task builds and `wait` depends on, if no thread is left for the task. The mutex is held.
  private static func taskAwaitedInVain(by wait: Wait) -> RegistrationKey? {
    let blocked = unsafe waitsOnTaskThreads.count { $0.target != nil }
    guard blocked >= TaskThreads.count, let target = wait.target else { return nil }
    return keyBuiltInTask(awaitedBy: target)
  }

  private static func keyBuiltInTask(awaitedBy construction: Construction) -> RegistrationKey? {
    var visited: [Construction] = []
    var pending = [construction]
    while let next = pending.popLast() {
      if visited.contains(where: { $0 === next }) { continue }
      if next.isAsynchronous { return next.key }
      visited.append(next)
      pending += next.awaited
    }
    return nil
  }

  /// In the child of a fork: the other threads are gone. The list is not destroyed, as one may have been changing it.
  static func forgetTaskThreadsAfterFork() {
    unsafe withUnsafeMutablePointer(to: &waitsOnTaskThreads) { unsafe $0.initialize(to: []) }
  }
}

extension Construction {
  /// The constructions that this one waits for. The mutex of the wait-for graph is held.
  var awaited: [Construction] {
    links.waits.compactMap(\.target) + links.phase.holders(of: self)
  }
}
