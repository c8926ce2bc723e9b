// SPDX-License-Identifier: MIT

/// The waits between constructions, over all threads, tasks and containers of the process.
///
/// Nodes are constructions, and the disposals of WaitForGraph+Closings.swift. There are four kinds
/// of edges between constructions:
///  - A resolve inside construction `C` that waits for construction `T` makes `C` wait for `T`, and
///    so every construction further out built by a thread, up to the first built by a task.
///  - A postponed construction waits for the construction whose instance its actions need.
///  - A held construction waits for its lenders.
///  - A construction being published waits for the one before.
///
/// Invariant: the graph has no cycle. Before an edge of the first kind is added, the graph is
/// searched for a path from `T` back to the waiter. A path means a cycle, which is broken in the
/// first applicable way:
///  1. `T` has its instance, unpublished only because actions run or because of lenders. The
///     resolve gets the instance early, and joins the work around `T`.
///  2. A further wait on the path is for such a construction. The wait ends in the same way.
///  3. A wait on the path is in an afterInit action, inside a factory on the path: the action is
///     postponed until the factory has returned. Or in a refresh, given up for the old instance.
///  4. The resolve fails: nothing could ever end the wait.
///
/// Edges of the remaining kinds appear when a construction is held or postponed. They can only
/// close a cycle through a wait for the construction, or for a held borrower of it: these waits
/// end, and their resolves decide again. Search and change happen under one mutex, so of two
/// resolves that would close a cycle the second finds the first. Only resolves that find a
/// construction under way come here, and resolves that begin an asynchronous construction.
enum WaitForGraph {
  typealias Outcome = Wait.Outcome

  enum Decision {
    case conclude(Outcome)
    case wait(Construction)
  }

  /// Blocks the calling thread until the construction under way in `place` ends.
  ///
  /// - Parameters:
  ///   - requester: the context whose resolver asked, if any.
  ///   - earlier: the attempts of the resolve; `nil` for a closing.
  static func wait(
    for place: Place, requestedBy requester: ResolutionContext?,
    after earlier: EarlierAttempts? = nil
  ) -> Outcome {
    let wait = Wait(requestedBy: requester, after: earlier)
    let latch = Latch()
    let decision = withLock { changes -> Decision in
      let decision = decide(on: place, wait, &changes)
      guard case .wait(let target) = decision else { return decision }
      if let outcome = refusal(of: wait, for: target) { return .conclude(outcome) }
      wait.begin(for: target, .thread(latch), &changes)
      return decision
    }
    if case .conclude(let outcome) = decision { return outcome }
    latch.wait()
    return wait.takeOutcome()
  }

  // MARK: - Deciding

  static func decide(
    on place: Place, _ wait: Wait, _ changes: inout WaitForGraphChanges
  ) -> Decision {
    wait.leaveWhatIsDone(&changes)
    if wait.isCancelled { return .conclude(.cancelled) }
    if isAbandoned(wait) { return .conclude(.abandoned) }
    while true {
      guard let target = join(place) else { return .conclude(.retry) }
      guard let path = WaitPath.find(from: target, to: wait.waiting) else { return .wait(target) }
      if let box = earlyReference(to: target, for: wait) { return .conclude(.instance(box)) }
      if endOneWaitEarly(on: path, &changes) || endOneWaitOfActionOrRefresh(on: path, &changes) {
        continue
      }
      block(wait, until: path.end, &changes)
      return .conclude(.cycle(path.keys))
    }
  }

  /// The construction under way in `place`, whose owner will see the contention; `nil` for none.
  static func join(_ place: Place) -> Construction? {
    guard let construction = place.joinAssumingWaitsLockHeld(Construction.self) else { return nil }
    guard construction.isOrphaned else { return construction }
    place.abandonAssumingWaitsLockHeld()
    return nil
  }

  // MARK: - Waking

  /// Ends all waits for a construction.
  ///
  /// - Parameters:
  ///   - box: the instance for the waiters; `nil` to retry.
  ///   - error: the reason of a failure; `nil` without a failure, or if all are to retry.
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

  /// Ends the waits, if any, for an ended construction.
  ///
  /// The call consumes the caller's reference to the instance: the last waiter to release the
  /// instance may rely on the deinit. Without a waiter, the reference is returned.
  ///
  /// - Returns: the references that have left the graph.
  static func end(
    _ construction: Construction, handing box: consuming AnyInstanceBox?, error: ResolutionError?
  ) -> [AnyObject] {
    var box = consume box
    let (postponed, removed) = withLock { changes in
      let isHanded = wake(construction, handing: box, error: error, &changes)
      if let kept = construction.links.kept {
        _ = kept.exchange(with: box)
        changes.release(kept)
        // SAFETY: the reference of the kept state.
        changes.release(unsafe Unmanaged.passUnretained(construction).takeRetainedValue())
        construction.links.kept = nil
      }
      // The waits hold the instance until resumed.
      if let box, !isHanded { changes.release(box) }
      box = nil
      let links = construction.links
      // A construction begun inside, and not waited for, may have borrowed from this construction
      // when the latter had no work left.
      _ = ConstructionLinks.unlink(construction, &changes)
      if !links.phase.isEnded { links.move(to: .ended, &changes) }
      if let task = links.task ?? nil {
        changes.release(task)
        links.task = .some(nil)
      }
      countEnd(of: construction)
      let postponed = links.takePostponed()
      for instance in postponed {
        instance.construction.links.move(to: .initializing(instance), &changes)
      }
      return (postponed, changes.takeRemoved())
    }
    // Postponed during the end. An error belongs to the instance, to which nothing refers by now.
    for instance in postponed { try? instance.resume(inside: construction) }
    return removed
  }

  /// Ends the waits in a cycle closed by a new edge from `construction`, by early references; and
  /// the waits that must not block a thread for a task behind the edge.
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
      refuseWaits(for: [target], behind: target, &changes)
    }
  }

  // MARK: - The mutex

  /// Runs `body` with the mutex held, and then carries the changes out. `body` must run no user
  /// code, deinits included.
  static func withLock<Result>(_ body: (inout WaitForGraphChanges) -> Result) -> Result {
    var changes = WaitForGraphChanges()
    let result = WaitsMutex.withLock {
      let result = body(&changes)
      endCyclicWaitsForClosings(&changes)
      return result
    }
    changes.carryOut()
    return result
  }

  // MARK: - Fork

  /// Lets a child process adopt the constructions and disposals of its thread.
  static let isPrepared: Void = {
    // Made here: an initializer run by a lost thread at the fork would never end in the child.
    prepareClosingsForFork()
    ForkHandlers.add {
      var next = ResolutionContext.running
      while let context = next {
        context.asConstruction?.adoptAfterFork()
        next = context.enclosing
      }
      forgetClosingsAfterFork()
    }
  }()
}
