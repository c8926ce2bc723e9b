// SPDX-License-Identifier: MIT

/// The waits for the ends of closings. Nodes are the disposals, and edges are of three kinds:
///  - A wait for the end of a closing makes every disposal and construction around the waiting
///    caller wait for the closing.
///  - A closing waits for every construction under way in its container, from before the closing is
///    passed to a task. Disposals and constructions around the closer wait for the closing.
///  - A wait of a resolve inside of a disposer makes the disposal wait for a construction.
///
/// Invariant: no closing waits for a caller in whose wait the closing is the target. A caller
/// about to break the invariant does not begin to wait. If a different edge breaks the invariant,
/// the wait of the caller ends: the end of any other wait would leave an instance undisposed of.
/// Every change of the graph is followed by a search under the same mutex, so the last edge of a
/// cycle finds the cycle.
extension WaitForGraph {
  /// The waits for closings by callers inside of a disposal or construction: no other wait can be
  /// on a cycle.
  // SAFETY: only touched with the mutex of the graph held, or by the only thread of a child process
  // just forked.
  nonisolated(unsafe) private static var waitsForClosings: [ObjectIdentifier: Wait] = [:]

  /// Blocks the calling thread until the end of a container's closing, if the thread may wait.
  static func wait(forClosingOf container: ContainerCore) -> Outcome {
    let wait = Wait(requestedBy: nil)
    let latch = Latch()
    if let outcome = begin(wait, forClosingOf: container, .thread(latch)) { return outcome }
    latch.wait()
    return wait.takeOutcome()
  }

  /// Suspends the calling task until the end of a container's closing, if the task may wait.
  /// Cancellation changes nothing.
  nonisolated(nonsending)
    static func waitAsync(forClosingOf container: ContainerCore) async
  {
    let wait = Wait(requestedBy: nil)
    // SAFETY: `begin` hands the continuation to the wait, which ends once, or returns an outcome.
    _ = unsafe await withUnsafeContinuation { continuation in
      if let outcome = unsafe begin(wait, forClosingOf: container, .task(continuation)) {
        unsafe continuation.resume(returning: outcome)
      }
    }
    // Pairs with the release in `Wait.resume`.
    ResumptionOrder.acquire(wait)
  }

  /// Enters a wait into the graph.
  ///
  /// - Returns: the outcome without anything to wait for, or if the caller must not wait.
  private static func begin(
    _ wait: Wait, forClosingOf container: ContainerCore, _ waiter: Wait.Waiter
  ) -> Outcome? {
    withLock { _ in
      // Closing states are claimed by disposals only.
      guard
        let closing = container.closingState.joinAssumingWaitsLockHeld(DisposalContext.self)
      else { return .retry }
      if closing.isOrphaned { return .retry }
      if isAwaited(wait, by: .disposal(closing)) { return .cycle([]) }
      if closing.isInTask, case .thread = waiter { return .passedToTask }
      wait.begin(for: .disposal(closing), waiter)
      if wait.isInsideAny { unsafe waitsForClosings[ObjectIdentifier(wait)] = wait }
      return nil
    }
  }

  /// Whether a node waits, directly or not, for the caller of `wait`. The mutex is held.
  private static func isAwaited(_ wait: Wait, by node: WaitNode) -> Bool {
    if !wait.isInsideAny { return false }
    var visited = VisitedObjects()
    var pending = [node]
    while let next = pending.popLast() {
      guard visited.visit(next.object) else { continue }
      if wait.isInside(next) { return true }
      pending += next.awaited
    }
    return false
  }

  /// Ends waits until no closing waits for a caller that waits for the same closing. Called after
  /// every change of the graph, with the mutex held.
  static func endCyclicWaitsForClosings(_ changes: inout WaitForGraphChanges) {
    for wait in unsafe waitsForClosings.values {
      guard let node = wait.node, isAwaited(wait, by: node) else { continue }
      end(wait, .cycle([]), &changes)
    }
  }

  private static func end(
    _ wait: Wait, _ outcome: Outcome, _ changes: inout WaitForGraphChanges
  ) {
    unsafe waitsForClosings[ObjectIdentifier(wait)] = nil
    changes.end(wait, outcome)
  }

  // MARK: - The closing

  /// Resumes the callers waiting for a closing. The closing is over.
  static func end(_ closing: DisposalContext) {
    withLock { changes in
      for wait in closing.waiters.values { end(wait, .retry, &changes) }
    }
  }

  /// Passes a closing to a task. Threads waiting for the closing go on.
  static func passToTask(_ closing: DisposalContext) {
    withLock { changes in
      closing.isInTask = true
      for wait in closing.waiters.values where wait.blocksThread {
        end(wait, .passedToTask, &changes)
      }
    }
  }

  /// Notes the constructions awaited in turn by a closing of the caller's.
  ///
  /// - Returns: the wait of everything around the caller for the closing, without a waiter.
  static func begin(_ closing: DisposalContext, awaiting states: [InstanceState]) -> Wait {
    let wait = Wait(requestedBy: nil)
    withLock { _ in
      closing.awaitedStates = states
      wait.begin(for: .disposal(closing))
    }
    return wait
  }

  /// Ends a ``begin(_:awaiting:)``.
  static func end(_ closing: DisposalContext, awaitingIn wait: Wait) {
    var former: [InstanceState] = []
    withLock { changes in
      swap(&former, &closing.awaitedStates)
      changes.end(wait, .retry)
    }
    // After the mutex: the reference to a construction may be the last.
    withExtendedLifetime(former) {}
  }

  // MARK: - Fork

  static func prepareClosingsForFork() {
    _ = WaitsMutex.withLock { unsafe waitsForClosings.count }
    DisposalContext.prepareForFork()
  }

  /// In the child of a fork: all other threads and all tasks are gone, with their waits, which are
  /// not destroyed: see ``DisposalContext/adoptRunningAfterFork()``.
  ///
  /// A container whose closing was lost counts as closed: the parent disposes of its instances.
  static func forgetClosingsAfterFork() {
    unsafe withUnsafeMutablePointer(to: &waitsForClosings) { unsafe $0.initialize(to: [:]) }
    DisposalContext.adoptRunningAfterFork()
  }
}

extension WaitForGraph {
  /// A state that gets the instance under construction in a sealed cell too, for a closing,
  /// whatever becomes of the cell; `nil` without a construction.
  static func keptState(of place: Place) -> InstanceState? {
    WaitsMutex.withLock {
      guard let construction = join(place) else { return nil }
      if let kept = construction.links.kept { return kept }
      let state = InstanceState()
      _ = unsafe state.claim(Unmanaged.passRetained(construction), replacing: .empty)
      construction.links.kept = state
      return state
    }
  }
}
