// SPDX-License-Identifier: MIT

internal import Synchronization

/// Blocked threads that leave none for the tasks that they wait for.
///
/// A synchronous resolve blocks its thread until the instance is published. That may take a task: an instance is held until
/// the asynchronous one is complete that it refers to. Tasks share as many threads as there are processors. If all of
/// these are blocked, in resolves or in factories that wait for other threads' resolves, no task goes on.
///
/// So a thread that depends on a task, and has waited for a second, starts a task to see whether any runs. If that does
/// not begin within seconds, the thread's resolve fails, and the others go on.
extension WaitForGraph {
  /// The number of resolves that have given up.
  private static let surrenders = Atomic<Int>(0)

  /// Blocks the calling thread until a wait in the graph ends.
  static func block(in wait: Wait, on latch: Latch) {
    var probe: TaskProbe?
    while !latch.wait(milliseconds: probe == nil ? 1_000 : 4_000) {
      let dependsOnTask = withLock { changes in
        guard let key = wait.target.flatMap(keyBuiltInTask(awaitedBy:)) else { return false }
        // If another resolve has given up meanwhile, that is enough.
        if let probe, !probe.hasBegun, probe.surrenders == surrendersSoFar {
          surrenders.add(1, ordering: .relaxed)
          changes.end(wait, .refused(key))
        }
        return true
      }
      probe = dependsOnTask ? TaskProbe(after: surrendersSoFar) : nil
    }
  }

  private static var surrendersSoFar: Int { surrenders.load(ordering: .relaxed) }

  /// The key that a task builds and the end of `construction` depends on, if there is one. The mutex is held.
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
}

/// A task that shows whether tasks run.
private final class TaskProbe: Sendable {
  /// The number of resolves that had given up when it was started.
  let surrenders: Int
  private let begun = Atomic<Bool>(false)

  init(after surrenders: Int) {
    self.surrenders = surrenders
    Task.detached(priority: Task.currentPriority) { self.begun.store(true, ordering: .relaxed) }
  }

  var hasBegun: Bool { begun.load(ordering: .relaxed) }
}

extension Construction {
  /// The constructions that this one waits for. The mutex of the wait-for graph is held.
  var awaited: [Construction] {
    links.waits.values.compactMap(\.target) + links.phase.holders(of: self)
  }
}
