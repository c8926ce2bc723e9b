// SPDX-License-Identifier: MIT

internal import Synchronization

/// The waits between constructions, over all threads, tasks and containers of the process.
///
/// Nodes are constructions. There are four kinds of edges:
///  - A resolve inside of construction `C` that waits for construction `T` makes `C` wait for `T`, and so it does
///    with every construction on the way out that a thread is building, up to the first that a task is building.
///  - A postponed construction waits for the one whose instance its actions need.
///  - A held construction waits for its lenders.
///  - One that is being published waits for the one before it.
///
/// Invariant: the graph has no cycle. Before an edge of the first kind is added, the graph is searched for a
/// path from `T` back to the one that wants to wait. If there is one, the cycle is broken in one of these ways,
/// the first that applies:
///  1. `T` has its instance, and is not published only because its actions run or because of its lenders. The
///     resolve gets the instance early, and becomes a part of what `T` is a part of.
///  2. Another wait on the path is for such a construction. That wait ends in the same way.
///  3. A wait on the path is in an afterInit action, inside of a factory on the path. The action is postponed
///     until that factory has returned. Or it is in a refresh there, which is abandoned: the old instance serves.
///  4. The resolve fails: nothing could ever end its wait.
///
/// Edges of the other kinds appear when a construction is held or postponed. They can only close a cycle
/// through a wait for that construction, or for a held one that borrowed from it: these waits end, and their
/// resolves decide again. Search and change happen under one mutex, so of two resolves that would close a cycle
/// the second one finds the first. Only resolves that find a construction under way come here, and those that
/// begin an asynchronous one.
enum WaitForGraph {
  typealias Outcome = Wait.Outcome

  enum Decision {
    case conclude(Outcome)
    case wait(Construction)
  }

  /// Blocks the calling thread until the construction under way in `state` ends.
  ///
  /// - Parameters:
  ///   - requester: the context whose resolver asked, if any.
  ///   - earlier: what the resolve has gone through; `nil` for a closing.
  static func wait(
    for state: InstanceState, requestedBy requester: ResolutionContext?,
    after earlier: EarlierAttempts? = nil
  ) -> Outcome {
    let wait = Wait(requestedBy: requester, after: earlier)
    let latch = Latch()
    // A stranger's thread keeps no task from running. Asked before others know the wait.
    let mayBlockTasks = wait.mayBlockTaskThread
    let decision = withLock { changes in
      let decision = decide(on: state, wait, &changes)
      if case .wait(let target) = decision { wait.begin(for: target, .thread(latch)) }
      return decision
    }
    if case .conclude(let outcome) = decision { return outcome }
    if mayBlockTasks {
      block(in: wait, on: latch)
    } else {
      latch.wait()
    }
    return wait.takeOutcome()
  }

  // MARK: - Deciding

  static func decide(
    on state: InstanceState, _ wait: Wait, _ changes: inout WaitForGraphChanges
  ) -> Decision {
    wait.leaveWhatIsDone(&changes)
    if wait.isCancelled { return .conclude(.cancelled) }
    if isAbandoned(wait) { return .conclude(.abandoned) }
    while true {
      guard let target = join(state) else { return .conclude(.retry) }
      guard let path = WaitPath.find(from: target, to: wait.waiting) else { return .wait(target) }
      if let box = earlyReference(to: target, for: wait) { return .conclude(.instance(box)) }
      if endOneWaitEarly(on: path, &changes) || endOneWaitOfActionOrRefresh(on: path, &changes) {
        continue
      }
      block(wait, until: path.end, &changes)
      return .conclude(.cycle(path.keys))
    }
  }

  /// The construction under way in `state`, whose owner will see that others wait; `nil` when there is none.
  static func join(_ state: InstanceState) -> Construction? {
    guard let owner = state.joinAssumingWaitsLockHeld() else { return nil }
    // SAFETY: states are claimed by constructions only.
    let construction = unsafe unsafeDowncast(owner, to: Construction.self)
    guard construction.isOrphaned else { return construction }
    state.abandonAssumingWaitsLockHeld()
    return nil
  }

  // MARK: - Waking

  /// Ends all waits for a construction.
  ///
  /// - Parameters:
  ///   - box: the instance that the waiters get; `nil` when they are to retry.
  ///   - error: why the construction failed; `nil` when it did not, or all are to retry.
  /// - Returns: whether a waiter has got the instance.
  private static func wake(
    _ construction: Construction, handing box: AnyInstanceBox?, error: ResolutionError?,
    _ changes: inout WaitForGraphChanges
  ) -> Bool {
    var isHanded = false
    for wait in construction.links.waiters.values {
      if let box, !construction.isStoredByUser || wait.hasBegun(construction) {
        isHanded = true
        changes.end(wait, .instance(box))
      } else if let error, !construction.isCancelled {
        changes.end(wait, wait.outcome(afterFailure: error, of: construction))
      } else {
        changes.end(wait, .retry)
      }
    }
    return isHanded
  }

  /// Ends the waits for a construction that has ended, if there may be any.
  ///
  /// The caller gives its reference to the instance up: the last waiter to let the instance go may rely on its end. If
  /// no waiter has got it, the reference is returned.
  ///
  /// - Returns: what has left the graph.
  static func end(
    _ construction: Construction, handing box: consuming AnyInstanceBox?, error: ResolutionError?
  ) -> [AnyObject] {
    var box = consume box
    let (postponed, removed) = withLock { changes in
      let isHanded = wake(construction, handing: box, error: error, &changes)
      // The waits hold it until they are resumed.
      if let box, !isHanded { changes.release(box) }
      box = nil
      let links = construction.links
      // A construction that it has started, and does not wait for, may have got an early reference when it had no work left.
      _ = ConstructionLinks.unlink(construction, &changes)
      if !links.phase.isEnded { links.move(to: .ended, &changes) }
      if let task = links.task { changes.release(task) }
      links.task = nil
      countEnd(of: construction)
      let postponed = links.takePostponed()
      for instance in postponed {
        instance.construction.links.move(to: .initializing(instance), &changes)
      }
      return (postponed, changes.takeRemoved())
    }
    // Postponed while it was ending. An error is that of the instance, which nothing refers to by now.
    for instance in postponed { try? instance.resume(inside: construction) }
    return removed
  }

  /// Ends the waits that a new edge from `construction` has closed a cycle with. Its resolves get the instance
  /// early.
  static func breakCycles(
    through construction: Construction, heldBy borrowers: [Construction],
    _ changes: inout WaitForGraphChanges
  ) {
    let held = [construction] + borrowers.filter(\.links.phase.isHeld)
    for target in held {
      for wait in target.links.waiters.values
      where WaitPath.find(from: target, to: wait.waiting) != nil {
        guard let box = earlyReference(to: target, for: wait) else { continue }
        changes.end(wait, .instance(box))
      }
    }
  }

  // MARK: - The mutex

  /// Runs `body` with the mutex held, and then carries its changes out. No user code may run in `body`, deinits
  /// included.
  static func withLock<Result>(_ body: (inout WaitForGraphChanges) -> Result) -> Result {
    var changes = WaitForGraphChanges()
    let result = WaitsMutex.withLock { body(&changes) }
    changes.carryOut()
    if hasObserver.load(ordering: .acquiring) { unsafe observer?() }
    return result
  }

  /// Has `observer` called after each change of the graph from now on, with the mutex given up. Called once.
  static func observeChanges(_ observer: @escaping @Sendable () -> Void) {
    unsafe self.observer = observer
    // Pairs with the load in `withLock`.
    hasObserver.store(true, ordering: .releasing)
  }

  // SAFETY: written once, before `hasObserver`, and read after that.
  nonisolated(unsafe) private static var observer: (@Sendable () -> Void)?
  private static let hasObserver = Atomic<Bool>(false)

  // MARK: - Fork

  /// Makes sure that a child process adopts the constructions of its thread.
  static let isPrepared: Void = ForkHandlers.add {
    var next = ResolutionContext.running
    while let context = next {
      context.asConstruction?.adoptAfterFork()
      next = context.enclosing
    }
  }
}
