// SPDX-License-Identifier: MIT

internal import Synchronization

/// The waits between constructions, over all threads, tasks and containers of the process.
///
/// Nodes are constructions. There are three kinds of edges:
///  - A resolve inside of construction `C` that waits for construction `T` makes `C` wait for `T`, and so it does
///    with every construction on the way out that a thread is building, up to the first that a task is building.
///  - A postponed construction waits for the one whose instance its actions need.
///  - A held construction waits for its lenders.
///
/// Invariant: the graph has no cycle. Before an edge of the first kind is added, the graph is searched for a
/// path from `T` back to the one that wants to wait. If there is one, the cycle is broken in one of these ways,
/// the first that applies:
///  1. `T` has its instance, and is not published only because its actions run or because of its lenders. The
///     resolve gets the instance early, and becomes a part of what `T` is a part of.
///  2. Another wait on the path is for such a construction. That wait ends in the same way.
///  3. A wait on the path is in an afterInit action, inside of a factory on the path. The action is postponed
///     until that factory has returned.
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
    let decision = withLock { resumed in
      let decision = decide(on: state, wait, &resumed)
      if case .wait(let target) = decision { wait.begin(for: target, on: latch) }
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
    on state: InstanceState, _ wait: Wait, _ resumed: inout [Wait]
  ) -> Decision {
    wait.leaveWhatIsDone()
    if wait.isCancelled { return .conclude(.cancelled) }
    if isAbandoned(wait) { return .conclude(.abandoned) }
    while true {
      guard let target = join(state) else { return .conclude(.retry) }
      guard let path = WaitPath.find(from: target, to: wait.waiting) else { return .wait(target) }
      if let box = earlyReference(to: target, for: wait) { return .conclude(.instance(box)) }
      if endOneWaitEarly(on: path, &resumed) || postponeOneAction(on: path, &resumed) { continue }
      block(wait, until: path.end)
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
  static func wake(
    _ construction: Construction, handing box: AnyInstanceBox? = nil,
    error: ResolutionError? = nil, _ resumed: inout [Wait]
  ) {
    for wait in construction.links.waiters.values {
      if let box, !construction.isStoredByUser || wait.hasBegun(construction) {
        wait.end(.instance(box))
      } else if let error, !construction.isCancelled {
        wait.end(wait.outcome(afterFailure: error, of: construction))
      } else {
        wait.end(.retry)
      }
      resumed.append(wait)
    }
  }

  /// Ends the waits that a new edge from `construction` has closed a cycle with. Its resolves get the instance
  /// early.
  static func breakCycles(
    through construction: Construction, heldBy borrowers: [Construction], _ resumed: inout [Wait]
  ) {
    let held = [construction] + borrowers.filter(\.links.phase.isHeld)
    for target in held {
      for wait in target.links.waiters.values
      where WaitPath.find(from: target, to: wait.waiting) != nil {
        guard let box = earlyReference(to: target, for: wait) else { continue }
        wait.end(.instance(box))
        resumed.append(wait)
      }
    }
  }

  // MARK: - The mutex

  /// Runs `body` with the mutex held, then resumes the waiters whose waits it has ended. No user code may run in
  /// `body`, deinits included.
  static func withLock<Result>(_ body: (inout [Wait]) -> Result) -> Result {
    var resumed: [Wait] = []
    WaitsMutex.lock()
    let result = body(&resumed)
    WaitsMutex.unlock()
    for wait in resumed { wait.resume() }
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
  static func prepareForFork() { _ = isPrepared }

  private static let isPrepared: Void = ForkHandlers.add {
    var next = ResolutionContext.running
    while let context = next {
      context.asConstruction?.adoptAfterFork()
      next = context.enclosing
    }
  }
}
