// SPDX-License-Identifier: MIT

/// The consequences of a change of the wait-for graph, to be carried out after the mutex.
///
/// Invariant: with the mutex held, nothing is destroyed that may lead to a user's object. A
/// reference that leaves the graph moves here, and is released with the value, after the lock.
struct WaitForGraphChanges {
  /// The ended waits, whose waiters must be resumed.
  private(set) var resumed: [Wait] = []
  /// The tasks to cancel.
  private var unwanted: [Task<Void, Never>] = []
  private var ended: [Task<Void, Never>] = []
  /// The references that have left the graph.
  private var removed: [AnyObject] = []

  /// Ends a wait. The waiter is resumed later.
  mutating func end(_ wait: Wait, _ outcome: Wait.Outcome) {
    if let node = wait.node { removed.append(node.object) }
    wait.end(outcome)
    resumed.append(wait)
  }

  mutating func cancel(_ task: Task<Void, Never>) {
    unwanted.append(task)
  }

  /// Takes over a reference that has left the graph.
  mutating func release(_ reference: AnyObject) {
    removed.append(reference)
  }

  mutating func release(_ references: [some AnyObject]) {
    for reference in references { removed.append(reference) }
  }

  /// Takes over the references of a phase left by a construction.
  mutating func release(_ phase: ConstructionPhase) {
    if let instance = phase.instance { removed.append(instance) }
    switch phase {
    case .postponed(_, let blocker): removed.append(blocker)
    case .publishing(_, let former?): removed.append(former)
    default: break
    }
  }

  /// Takes over the task of an ended construction. The task holds the closure being run.
  mutating func release(_ task: Task<Void, Never>) {
    ended.append(task)
  }

  /// Hands the references that have left the graph to a caller that keeps them beyond the lock.
  mutating func takeRemoved() -> [AnyObject] {
    defer { removed = [] }
    return removed
  }

  /// Cancels tasks and resumes waiters, without the mutex: a task's executor may be user code.
  func carryOut() {
    // Cancellations first: a waiter may rely on the cancellation of everything built for it.
    for task in unwanted { task.cancel() }
    for wait in resumed { wait.resume() }
  }
}
