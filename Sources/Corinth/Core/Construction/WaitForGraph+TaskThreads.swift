// SPDX-License-Identifier: MIT

/// Synchronous resolves on threads that run tasks, of instances that need a task.
///
/// A synchronous resolve blocks its thread until the publication, which may need a task: an
/// instance is held until the asynchronous ones it refers to are complete. Tasks share as many
/// threads as there are processors: with all blocked, no task would go on. So such a resolve fails
/// instead of waiting, and so does a resolve that waits already when the instance comes to need a
/// task. A closing goes on waiting.
extension WaitForGraph {
  /// The error of a wait that may block a thread of tasks for a task. The mutex is held.
  @inline(never) static func refusal(of wait: Wait, for target: Construction) -> Outcome? {
    guard wait.mayBlockTaskThread, let builder = taskAwaited(by: target) else { return nil }
    return .refused(builder.key)
  }

  /// Ends the waits that may block threads of tasks for a task from now on. The mutex is held.
  ///
  /// - Parameters:
  ///   - constructions: wait for `awaited` from now on, or are that construction.
  ///   - awaited: a construction that may have come to need a task.
  static func refuseWaits(
    for constructions: [Construction], behind awaited: Construction,
    _ changes: inout WaitForGraphChanges
  ) {
    let waits = waitsOfTaskThreads(for: constructions)
    guard !waits.isEmpty, let builder = taskAwaited(by: awaited) else { return }
    for wait in waits { changes.end(wait, .refused(builder.key)) }
  }

  /// The waits for constructions, direct or not, that may block threads of tasks.
  ///
  /// No thread waits for an asynchronous construction, or for what is held by one only.
  private static func waitsOfTaskThreads(for constructions: [Construction]) -> [Wait] {
    var found: [Wait] = []
    var visited = VisitedObjects()
    var pending = constructions
    while let next = pending.popLast() {
      guard !next.isAsynchronous, visited.visit(next) else { continue }
      for wait in next.links.waiters.values {
        if wait.mayBlockTaskThread { found.append(wait) } else { pending += wait.constructions }
      }
      pending += next.links.borrowers.filter(\.links.phase.isHeld)
      pending += next.links.postponed.map(\.construction)
    }
    return found
  }

  /// A construction at work in a task on which the end of `construction` depends, if any.
  private static func taskAwaited(by construction: Construction) -> Construction? {
    var visited = VisitedObjects()
    var pending = [construction]
    while let next = pending.popLast() {
      guard visited.visit(next) else { continue }
      if next.isAsynchronous, !next.links.phase.isComplete { return next }
      pending += WaitNode.construction(next).awaited.compactMap(\.construction)
    }
    return nil
  }
}
