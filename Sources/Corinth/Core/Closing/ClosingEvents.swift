// SPDX-License-Identifier: MIT

internal import Synchronization

/// The waits for closings, over all threads and tasks of the process.
///
/// A part of the wait-for graph: nodes are closings and constructions. Three kinds of edges begin
/// or end at a closing:
///  - A caller that waits for the end of a closing makes every closing and construction around the
///    caller wait for that closing.
///  - A closing waits for every construction under way in its container. So do the closings and
///    constructions around the closing's beginning.
///  - A resolve that waits inside a disposer makes the closing wait for a construction.
///
/// Invariant: no closing waits for a caller that waits for it. A caller that would break the
/// invariant does not begin to wait. If a different edge does, the caller's wait ends: to give any
/// other wait up would leave an instance undisposed. Edges are added under one mutex, and every
/// addition is followed by a search for a cycle, so the last edge of a cycle finds it.
///
/// Kept here and not in the containers: most closings have no waiters.
enum ClosingEvents {
  typealias Outcome = ClosingWait.Outcome

  /// The waits of callers inside a closing or construction: only such a wait can be on a cycle.
  // SAFETY: only touched with the mutex of the wait-for graph held, or in a child process just
  // forked, which has one thread.
  nonisolated(unsafe) private static var waits: [ClosingWait] = []

  /// The closings waiting for constructions.
  // SAFETY: as above.
  nonisolated(unsafe) private static var settlements: [ClosingSearch.Settlement] = []

  /// Whether `waits` has elements; read without the mutex.
  private static let hasWaits = Atomic<Bool>(false)

  // MARK: - Waiting for the end of a closing

  /// Blocks the calling thread until the end of a container's closing, if the thread may wait.
  static func wait(for container: ContainerCore) -> Outcome {
    let latch = Latch()
    let wait = ClosingWait(on: latch)
    if begin(wait, for: container, in: nil) { latch.wait() }
    return wait.outcome
  }

  /// Suspends the calling task until the end of a container's closing, if the task may wait.
  /// Cancellation changes nothing.
  nonisolated(nonsending)
    static func waitAsync(for container: ContainerCore) async
  {
    await withCheckedContinuation { continuation in
      if !begin(ClosingWait(), for: container, in: continuation) { continuation.resume() }
    }
  }

  /// As ``waitAsync(for:)``, for as long as the total limit allows. The limit of each disposer is
  /// up to the caller that closes the container.
  nonisolated(nonsending)
    static func waitAsync(
      for container: ContainerCore, _ timeLimits: TimeLimits
    ) async throws(CloseError)
  {
    guard let total = timeLimits.total, let left = timeLimits.begin().left else {
      return await waitAsync(for: container)
    }
    let result = await withTimeLimit(left, on: .steps) { await waitAsync(for: container) }
    if case .failure = result {
      throw .disposalFailed([.closingByOther(of: container, limit: total)])
    }
  }

  /// Enters a wait into the graph.
  ///
  /// - Returns: `false` without anything to wait for; the wait then has its outcome.
  private static func begin(
    _ wait: ClosingWait, for container: ContainerCore,
    in continuation: CheckedContinuation<Void, Never>?
  ) -> Bool {
    WaitsMutex.withLock {
      guard let closing = container.closingState.joinAssumingWaitsLockHeld() as? Closing,
        !closing.isOrphaned
      else { return false }
      if !wait.context.isEmpty, leads(from: closing, to: wait.context) {
        wait.end(.enclosing)
        return false
      }
      if wait.isSynchronous, closing.isInTask {
        wait.end(.asynchronous)
        return false
      }
      wait.begin(for: closing, in: continuation)
      if !wait.context.isEmpty {
        unsafe waits.append(wait)
        hasWaits.store(true, ordering: .relaxed)
      }
      return true
    }
  }

  /// Resumes the callers waiting for a closing, which is over.
  static func end(_ closing: Closing) {
    endWaits { ended in
      let waits = closing.waits
      closing.waits = []
      for wait in waits { end(wait, .over, &ended) }
    }
  }

  /// Hands a closing to a task. Threads waiting for the closing go on.
  static func handToTask(_ closing: Closing) {
    endWaits { ended in
      closing.isInTask = true
      for wait in closing.waits where wait.isSynchronous { end(wait, .asynchronous, &ended) }
    }
  }

  // MARK: - Waiting for constructions

  /// Announces that a closing, begun by the caller, waits for constructions in the states.
  static func beginSettling(_ closing: Closing, _ states: [InstanceState]) {
    let settlement = ClosingSearch.Settlement(
      closing: closing, context: .current, states: states)
    endWaits { ended in
      unsafe settlements.append(settlement)
      endCyclicWaits(&ended)
    }
  }

  /// Ends a ``beginSettling(_:_:)``.
  static func endSettling(_ closing: Closing) {
    let ended = WaitsMutex.withLock {
      defer { unsafe settlements.removeAll { $0.closing === closing } }
      return unsafe settlements.filter { $0.closing === closing }
    }
    // Released after the mutex: the reference to a construction may be the last.
    withExtendedLifetime(ended) {}
  }

  /// Called after a change of the edges between constructions, with the mutex given up.
  private static func constructionsDidChange() {
    // Pairs with the mutex: a wait begun after the change was checked with the change in the graph.
    if hasWaits.load(ordering: .relaxed) { endWaits { endCyclicWaits(&$0) } }
  }

  // MARK: - Ending waits

  /// Runs `body` with the mutex held, then resumes the callers whose wait it has ended.
  private static func endWaits(_ body: (inout [ClosingWait]) -> Void) {
    var ended: [ClosingWait] = []
    WaitsMutex.withLock { body(&ended) }
    for wait in ended { wait.resume() }
  }

  private static func end(
    _ wait: ClosingWait, _ outcome: Outcome, _ ended: inout [ClosingWait]
  ) {
    wait.end(outcome)
    ended.append(wait)
    if wait.context.isEmpty { return }
    unsafe waits.removeAll { $0 === wait }
    unsafe hasWaits.store(!waits.isEmpty, ordering: .relaxed)
  }

  /// Ends waits until no closing waits for a caller that waits for the same closing.
  private static func endCyclicWaits(_ ended: inout [ClosingWait]) {
    for wait in unsafe waits {
      guard let target = wait.target, leads(from: target, to: wait.context) else { continue }
      end(wait, .enclosing, &ended)
    }
  }

  private static func leads(from closing: Closing, to context: ClosingContext) -> Bool {
    var search = unsafe ClosingSearch(waits: waits, settlements: settlements)
    return search.leads(from: closing, to: context)
  }

  // MARK: - Fork

  /// Has the changes between constructions observed, and the child of a fork told.
  static let isPrepared: Void = {
    // Made here: an initializer run by a lost thread at the fork would never end in the child.
    _ = WaitsMutex.withLock {
      unsafe (waits.count, settlements.count, hasWaits.load(ordering: .relaxed))
    }
    DisposalContext.prepareForFork()
    WaitForGraph.observeChanges(constructionsDidChange)
    ForkHandlers.add(inChild: forgetAfterFork)
  }()

  /// In the child of a fork: all other threads and all tasks are gone, with their waits. See
  /// `WaitForGraph` for why nothing is destroyed.
  ///
  /// A container whose closing was lost counts as closed: the parent disposes of its instances.
  private static func forgetAfterFork() {
    unsafe withUnsafeMutablePointer(to: &waits) { unsafe $0.initialize(to: []) }
    unsafe withUnsafeMutablePointer(to: &settlements) { unsafe $0.initialize(to: []) }
    hasWaits.store(false, ordering: .relaxed)
    DisposalContext.adoptRunningAfterFork()
  }
}
