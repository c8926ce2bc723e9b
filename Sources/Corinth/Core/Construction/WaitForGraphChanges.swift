// SPDX-License-Identifier: MIT

/// The consequences of a change of the wait-for graph, for the time after its mutex has been given up.
///
/// Invariant: with the mutex held, nothing is destroyed that may lead to an object of the user's. A reference that leaves
/// the graph is moved here, and goes with this value, which outlives the lock.
struct WaitForGraphChanges {
  /// The waits that have ended, and whose waiters must be resumed.
  private(set) var resumed: [Wait] = []
  /// The tasks that must be cancelled.
  private var unwanted: [Task<Void, Never>] = []
  private var ended: [Task<Void, Never>] = []
  /// The references that have left the graph.
  private var removed: [AnyObject] = []

  /// Ends a wait. Its waiter is resumed later.
  mutating func end(_ wait: Wait, _ outcome: Wait.Outcome) {
    if let target = wait.target { removed.append(target) }
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

  /// Takes over the references of a phase that a construction has left.
  mutating func release(_ phase: ConstructionPhase) {
    if let instance = phase.instance { removed.append(instance) }
    switch phase {
    case .postponed(_, let blocker): removed.append(blocker)
    case .publishing(_, let former?): removed.append(former)
    default: break
    }
  }

  /// Takes over the task of a construction that has ended. It holds the closure that it runs.
  mutating func release(_ task: Task<Void, Never>) {
    ended.append(task)
  }

  /// Hands over the references that have left the graph, to a caller that keeps them for longer than the lock.
  mutating func takeRemoved() -> [AnyObject] {
    defer { removed = [] }
    return removed
  }

  /// Cancels tasks and resumes waiters. The mutex is not held: the executor of a task may be user code.
  func carryOut() {
    // The cancellation comes first: a waiter may rely on its having reached what was built for it.
    for task in unwanted { task.cancel() }
    for wait in resumed { wait.resume() }
  }
}
