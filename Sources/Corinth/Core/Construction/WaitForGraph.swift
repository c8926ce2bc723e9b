// SPDX-License-Identifier: MIT

internal import CCorinth

/// Who waits for whose construction, over all threads, tasks and containers of the process.
///
/// Nodes are constructions. A resolve inside of construction `C` that waits for construction `T`
/// makes `C`, and every construction that `C` is a part of, wait for `T`. Before an edge is added, the
/// graph is searched for a way from `T` back to the one who wants to wait. If there is one, nobody waits:
/// the resolve is lent `T`'s instance if that is there already (its afterInit actions are running), and
/// fails otherwise. Checking and adding happen under one mutex, so of two that would close a cycle the
/// second one sees the first. Only resolves that find a construction under way come here, and those that
/// begin an asynchronous one.
///
/// Who was lent an instance may not be seen before that instance is complete. Its construction is then kept
/// open beyond its own end, until all that it borrowed from, directly or not, has come to its end too. If one
/// of these fails, so does the borrower, and whoever waits for it builds anew.
enum WaitForGraph {
  typealias Outcome = Wait.Outcome

  /// Blocks the calling thread until the construction under way in `state` ends.
  ///
  /// - Parameter requester: the construction whose resolver asked, if any.
  static func wait(for state: InstanceState, requestedBy requester: Construction?) -> Outcome {
    let wait = Wait(requestedBy: requester)
    let latch = unsafe corinth_latch_create().unsafelyUnwrapped
    defer { unsafe corinth_latch_destroy(latch) }
    let decision = withLock { resumed in
      let decision = decide(on: state, wait, &resumed)
      if case .wait(let target) = decision { unsafe wait.begin(for: target, on: latch) }
      return decision
    }
    if case .conclude(let outcome) = decision { return outcome }
    unsafe corinth_latch_wait(latch)
    return wait.outcome
  }

  /// The instance under way in `state`, if it is there and waiting for it would never end.
  static func borrow(
    from state: InstanceState, requestedBy requester: Construction?
  ) -> AnyInstanceBox? {
    let wait = Wait(requestedBy: requester)
    return withLock { _ in
      guard let target = state.joinAssumingWaitsLockHeld(), let box = target.links.lendable,
        Route.find(from: target, to: wait.waiting) != nil
      else { return nil }
      lend(target, to: wait.innermost)
      return box
    }
  }

  /// Suspends the calling task until the construction under way in `state` ends, or the task is cancelled.
  ///
  /// - Parameters:
  ///   - requester: the construction whose resolver asked, if any.
  ///   - begin: begins the construction, when that is for the caller to do, and returns its task.
  static func waitAsync(
    for state: InstanceState, requestedBy requester: Construction?,
    beginning begin: (@Sendable () -> Task<Void, Never>)? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async -> Outcome {
    let wait = Wait(requestedBy: requester, isInitiator: begin != nil)
    // Only closures that capture the isolation stay on the caller's actor until they suspend.
    return await withTaskPriorityEscalationHandler {
      _ = isolation
      return await withTaskCancellationHandler {
        _ = isolation
        return unsafe await withUnsafeContinuation { continuation in
          unsafe enter(wait, for: state, beginning: begin, continuation)
        }
      } onCancel: {
        cancel(wait)
      }
    } onPriorityEscalated: { _, priority in
      escalate(withLock { _ in wait.target }, to: priority)
    }
  }

  private static func enter(
    _ wait: Wait, for state: InstanceState,
    beginning begin: (@Sendable () -> Task<Void, Never>)?,
    _ continuation: UnsafeContinuation<Outcome, Never>
  ) {
    let decision = withLock { resumed in
      // Who begins a construction waits for it in any case: it would be left without an end otherwise.
      let decision =
        begin == nil
        ? decide(on: state, wait, &resumed)
        : state.joinAssumingWaitsLockHeld().map { .wait($0) } ?? .conclude(.retry)
      if case .wait(let target) = decision {
        unsafe wait.begin(for: target, in: continuation)
      }
      return decision
    }
    switch decision {
    case .conclude(let outcome):
      unsafe continuation.resume(returning: outcome)
    case .wait(let target):
      if let begin {
        let task = begin()
        let (isAbandoned, priority) = withLock { _ in
          target.links.task = task
          return (target.links.isAbandoned, target.links.priority)
        }
        if isAbandoned { task.cancel() }
        if let priority { task.escalatePriority(to: priority) }
      }
      // Not earlier: the handler has nobody to tell before the wait has begun.
      escalate(target, to: Task.currentPriority)
      if withLock({ _ in wait.isCancelled }) { cancel(wait) }
    }
  }

  private static func cancel(_ wait: Wait) {
    var abandoned: Task<Void, Never>?
    withLock { resumed in
      guard let target = wait.target else {
        wait.markCancelled()
        return
      }
      wait.end(.cancelled)
      resumed.append(wait)
      if target.links.waiters.isEmpty {
        target.links.isAbandoned = true
        abandoned = target.links.task
      }
    }
    abandoned?.cancel()
  }

  private static func escalate(_ construction: Construction?, to priority: TaskPriority) {
    let task = withLock { _ -> Task<Void, Never>? in
      guard let links = construction?.links else { return nil }
      if links.task == nil { links.priority = max(priority, links.priority ?? priority) }
      return links.task
    }
    task?.escalatePriority(to: priority)
  }

  // MARK: - Deciding

  private enum Decision {
    case conclude(Outcome)
    case wait(Construction)
  }

  private static func decide(
    on state: InstanceState, _ wait: Wait, _ resumed: inout [Wait]
  ) -> Decision {
    if wait.isCancelled { return .conclude(.cancelled) }
    while true {
      guard let target = state.joinAssumingWaitsLockHeld() else { return .conclude(.retry) }
      if target.isOrphaned {
        state.abandonAssumingWaitsLockHeld()
        return .conclude(.retry)
      }
      guard let route = Route.find(from: target, to: wait.waiting) else { return .wait(target) }
      if let box = target.links.lendable {
        lend(target, to: wait.innermost)
        return .conclude(.lent(box))
      }
      // Somebody on the way waits only so as not to be seen too early. It is part of the caller's
      // resolution now, and may go on.
      let early = route.waits.lazy.compactMap { wait, _ in
        wait.target.flatMap { target in target.links.lendable.map { (wait, target, $0) } }
      }.first
      guard let (other, lender, box) = early else {
        if postponeAction(on: route, &resumed) { continue }
        blockActions(of: wait, until: route.end)
        return .conclude(.cycle(route.keys))
      }
      lend(lender, to: other.innermost)
      other.end(.lent(box))
      resumed.append(other)
    }
  }

  /// Has an action on the way, which somebody waits in, put off until the construction around it that the way
  /// comes by has its instance: it is what keeps that from coming.
  private static func postponeAction(on route: Route, _ resumed: inout [Wait]) -> Bool {
    for (wait, around) in route.waits where around.links.lendable == nil {
      let inside = wait.waiting.prefix { $0 !== around }
      guard inside.contains(where: { $0.links.lendable != nil }) else { continue }
      let keys = [wait.target?.key, around.key].compactMap { $0 }
      blockActions(of: wait, until: around)
      wait.end(.cycle(keys))
      resumed.append(wait)
      return true
    }
    return false
  }

  private static func blockActions(of wait: Wait, until blocker: Construction) {
    for construction in wait.waiting.prefix(while: { $0 !== blocker }) {
      if let former = construction.links.blocker { wait.keep(former) }
      construction.links.blocker = blocker
    }
  }

  private static func lend(_ lender: Construction, to borrowers: [Construction]) {
    lender.markEntangled()
    var pending = borrowers
    while let borrower = pending.popLast() {
      borrower.markEntangled()
      if borrower.isShared, !borrower.isFinished {
        borrower.links.borrowedFrom.append(lender)
        continue
      }
      pending += [borrower.outer, borrower.requester].compactMap { $0 }
    }
  }

  // MARK: - Ending

  /// Called by the owner of a construction that has ended, when others waited for it.
  ///
  /// - Parameters:
  ///   - box: the instance that they all get; `nil` when they are to look again.
  ///   - error: why it failed, for the one who began it; `nil` when it did not.
  /// - Returns: the actions that were put off until now, which nobody has run.
  static func wakeWaiters(
    of construction: Construction, handing box: AnyInstanceBox?, error: ResolutionError?
  ) -> [PostponedActions] {
    withLock { resumed in
      wakeAssumingLockHeld(construction, handing: box, error: error, &resumed)
      construction.links.task = nil
      construction.links.hasEnded = true
      defer { construction.links.postponed = [] }
      return construction.links.postponed
    }
  }

  private static func wakeAssumingLockHeld(
    _ construction: Construction, handing box: AnyInstanceBox? = nil,
    error: ResolutionError? = nil, _ resumed: inout [Wait]
  ) {
    for wait in construction.links.waiters.values {
      if let box {
        wait.end(.lent(box))
      } else if let error, wait.isInitiator {
        wait.end(.failed(error))
      } else {
        wait.end(.retry)
      }
      resumed.append(wait)
    }
  }

  private static func wakeOpenAssumingLockHeld(_ resumed: inout [Wait]) {
    for construction in unsafe open { wakeAssumingLockHeld(construction, &resumed) }
  }

  /// Lets resolutions that would otherwise wait in a circle have the instance.
  static func offer(_ box: AnyInstanceBox, of construction: Construction) {
    withLock { _ in construction.links.lendable = box }
  }

  /// Ends an entangled construction whose own work is done.
  ///
  /// - Parameter settle: publishes the instance or drops it. Runs in this call, or in that of the last one
  ///   which it borrowed from.
  /// - Returns: whether the instance is complete, and published.
  static func end(
    _ construction: Construction, with box: AnyInstanceBox,
    settle: @escaping @Sendable (_ isComplete: Bool) -> Void
  ) -> Bool {
    var isComplete = false
    conclude { resumed in
      construction.links.lendable = box
      construction.links.outcome = .succeeded
      construction.links.settle = settle
      unsafe open.append(construction)
      let settled = settleAssumingLockHeld()
      isComplete = settled.contains { $0.construction === construction && $0.isComplete }
      if unsafe open.contains(where: { $0 === construction }) {
        // They look again: to some of them it can be lent now.
        wakeOpenAssumingLockHeld(&resumed)
      }
      return settled
    }
    return isComplete
  }

  /// Ends an entangled construction that has failed; what borrowed from it fails too.
  static func fail(_ construction: Construction) {
    conclude { _ in
      construction.links.outcome = .failed
      return [(construction, false)] + settleAssumingLockHeld()
    }
  }

  private typealias Settled = (construction: Construction, isComplete: Bool)

  private static func conclude(_ body: (inout [Wait]) -> [Settled]) {
    let settled = withLock(body)
    for (construction, isComplete) in settled {
      // Taken out under the mutex, and let go of outside of it.
      let (settle, lendable, lenders) = withLock { _ in
        defer {
          construction.links.settle = nil
          construction.links.lendable = nil
          construction.links.borrowedFrom = []
        }
        return (
          construction.links.settle, construction.links.lendable, construction.links.borrowedFrom
        )
      }
      settle?(isComplete)
      withExtendedLifetime((lendable, lenders)) {}
    }
  }

  /// Constructions that are done, and not published because of what they borrowed from.
  // SAFETY: only touched with the mutex held (corinth_waits_lock), or in a child process just forked, which
  // has one thread.
  nonisolated(unsafe) private static var open: [Construction] = []

  /// Takes those out of the open constructions whose fate is decided, the earliest first.
  private static func settleAssumingLockHeld() -> [Settled] {
    var settled: [Settled] = []
    while true {
      let decided = unsafe open.compactMap { construction -> Settled? in
        switch fate(of: construction) {
        case .pending: nil
        case .succeeded: (construction, true)
        case .failed: (construction, false)
        }
      }
      if decided.isEmpty { return settled }
      for (construction, isComplete) in decided where !isComplete {
        construction.links.outcome = .failed
      }
      unsafe open.removeAll { each in decided.contains { $0.construction === each } }
      settled += decided
    }
  }

  /// What is to become of a construction, as far as all that it borrowed from, directly or not, decides it.
  private static func fate(of construction: Construction) -> ConstructionLinks.Outcome {
    var reached = [construction]
    var next = 0
    var isPending = false
    while next < reached.count {
      switch reached[next].links.outcome {
      case .failed: return .failed
      case .pending: isPending = true
      case .succeeded: break
      }
      for lender in reached[next].links.borrowedFrom
      where !reached.contains(where: { $0 === lender }) {
        reached.append(lender)
      }
      next += 1
    }
    return isPending ? .pending : .succeeded
  }

  // MARK: - Postponed actions

  /// Puts the rest of a construction's actions off until the construction around it has its instance which
  /// one of them has asked for; `false` when there is no such construction.
  static func postpone(_ actions: PostponedActions) -> Bool {
    let construction = actions.construction
    // Let go of with the mutex given up: it may be the last reference.
    var blocker: Construction?
    return withLock { resumed in
      swap(&blocker, &construction.links.blocker)
      guard let blocker, canPutOff(actions, until: blocker) else { return false }
      construction.markEntangled()
      blocker.markEntangled()
      // Pairs with `markFinished`: either it sees the mark and looks for what was put off, or this sees it.
      if blocker.isFinished { return false }
      construction.links.postponedUntil = blocker
      blocker.links.postponed.append(actions)
      // They look again: it can be lent to some of them now.
      wakeAssumingLockHeld(construction, &resumed)
      wakeOpenAssumingLockHeld(&resumed)
      return true
    }
  }

  private static func canPutOff(
    _ actions: PostponedActions, until blocker: Construction
  ) -> Bool {
    let around = Construction.unfinishedChain(
      of: [actions.construction.outer, actions.construction.requester].compactMap { $0 })
    guard around.contains(where: { $0 === blocker }), blocker.links.lendable == nil,
      !blocker.links.hasEnded, case .pending = blocker.links.outcome
    else { return false }
    return blocker.isAsynchronous || !actions.areAsynchronous
  }

  /// The actions that were put off until now, each once.
  static func nextPostponed(for construction: Construction) -> PostponedActions? {
    withLock { _ in
      guard !construction.links.postponed.isEmpty else { return nil }
      let next = construction.links.postponed.removeFirst()
      next.construction.links.postponedUntil = nil
      return next
    }
  }

  // MARK: - The mutex

  /// Runs `body` with the mutex held, then lets those go on whose wait it has ended. Nothing of the user's
  /// may run in `body`.
  private static func withLock<Result>(_ body: (inout [Wait]) -> Result) -> Result {
    var resumed: [Wait] = []
    corinth_waits_lock()
    let result = body(&resumed)
    corinth_waits_unlock()
    for wait in resumed { wait.resume() }
    ClosingEvents.constructionsDidChange()
    return result
  }

  // MARK: - Fork

  /// Makes sure that a child process will be told about its fork.
  static func prepareForFork() { _ = childCallback }

  private static let childCallback: Void = {
    // Made here, as a child had to wait for a lock of the runtime's to make it.
    ClosingEvents.prepareForFork()
    corinth_fork_set_child_callback(forgetAfterFork)
  }()

  private static let forgetAfterFork: @convention(c) () -> Void = {
    // The other threads are gone, and with them what they had open or waited for. It is not destroyed, as that
    // would free memory in a child that may have been forked in the middle of an allocation.
    unsafe withUnsafeMutablePointer(to: &open) { unsafe $0.initialize(to: []) }
    ClosingEvents.forgetAfterFork()
    Construction.adoptRunningAfterFork()
  }
}
