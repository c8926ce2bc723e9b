// SPDX-License-Identifier: MIT

/// Instances that a resolve gets before they are published, since a wait for them would never end.
///
/// The construction that encloses such a resolve is the borrower: its instance may refer to one that is
/// incomplete. It is published when all its lenders are complete, and dropped when one of them fails. A lender
/// whose own work is done hands its borrowers on to its own lenders, so an edge leads only to constructions
/// whose work still runs; a held construction without lenders is complete.
extension WaitForGraph {
  /// The instance under way in `state`, if its factory has returned and a wait for it would never end.
  static func earlyReference(
    from state: InstanceState, requestedBy requester: ResolutionContext?
  ) -> AnyInstanceBox? {
    let wait = Wait(requestedBy: requester)
    return withLock { changes in
      wait.leaveWhatIsDone(&changes)
      guard !isAbandoned(wait), let target = join(state),
        WaitPath.find(from: target, to: wait.waiting) != nil
      else { return nil }
      return earlyReference(to: target, for: wait)
    }
  }

  /// Gives a resolve the instance of `lender` early, if its factory has returned. The mutex is held.
  ///
  /// A path leads from `lender` to the resolve, which is inside of no doomed construction. So `lender` is not doomed
  /// either: a path through it would need a wait in it, a phase that is held or postponed, or the resolve in it.
  static func earlyReference(to lender: Construction, for wait: Wait) -> AnyInstanceBox? {
    if let pass = lender.links.pass { return pass }
    guard let instance = lender.links.phase.instance else { return nil }
    lender.markLinked()
    var pending = wait.innermost
    while let next = pending.popLast() {
      // A held construction waits for nothing that it has started: that is no part of it any more.
      if next.isDone, !next.isFinished { continue }
      if let borrower = next.asConstruction, borrower.isShared, !borrower.isFinished {
        borrower.markLinked()
        // Pairs with `storeFinished`: either the owner finds the mark after it and takes the borrower out of the lists,
        // or this finds it finished.
        if !borrower.isFinished {
          for each in lender.lendersOfItsBorrowers { ConstructionLinks.link(each, to: borrower) }
          continue
        }
      }
      next.asConstruction?.markLinked()
      // Not the enclosing construction of a resumption: its instance gets no reference from these actions.
      pending += [next.isResumption ? nil : next.enclosing, next.requesting].compactMap { $0 }
    }
    return instance.earlyReference
  }

  /// Ends a wait on the path that only hides an incomplete instance: the path makes its resolve a part of the
  /// same resolution. The mutex is held.
  static func endOneWaitEarly(
    on path: WaitPath, _ changes: inout WaitForGraphChanges
  ) -> Bool {
    for (wait, _) in path.waits {
      guard let target = wait.target, let box = earlyReference(to: target, for: wait) else {
        continue
      }
      changes.end(wait, .instance(box))
      return true
    }
    return false
  }

  // MARK: - Ending

  /// The factory has returned: the instance can be got early from now on.
  static func expose(_ instance: UnpublishedInstance) {
    withLock { instance.construction.links.move(to: .initializing(instance), &$0) }
  }

  /// Ends a construction whose factory and actions are done: publishes it, together with the borrowers that it
  /// completes; or drops it, if it is doomed; or else holds it.
  ///
  /// - Returns: whether it has been published.
  /// - Throws: why it has been dropped, if the caller gets that.
  static func finishWork(
    on instance: UnpublishedInstance
  ) throws(ResolutionError) -> Bool {
    let construction = instance.construction
    let (complete, isDoomed) = withLock { changes -> ([UnpublishedInstance], Bool) in
      if construction.links.isDoomed {
        construction.links.move(to: .ended, &changes)
        return ([], true)
      }
      let borrowers = ConstructionLinks.eliminate(construction, &changes)
      construction.links.move(to: .held(instance), &changes)
      let complete = ([construction] + borrowers).compactMap(instanceIfComplete)
        .sorted { $0.order < $1.order }
      beginPublishing(complete, &changes)
      if construction.links.phase.isHeld {
        construction.setHeld(true)
        for wait in construction.links.waits.values { wait.leaveWhatIsDone(&changes) }
        breakCycles(through: construction, heldBy: borrowers, &changes)
      }
      return (complete, false)
    }
    if isDoomed {
      let error = failure(of: instance)
      UnpublishedInstance.drop([instance])
      if let error { throw error }
    }
    UnpublishedInstance.publish(complete)
    return complete.contains { $0 === instance }
  }

  /// The instance of a held construction that has no lenders left. The mutex is held.
  private static func instanceIfComplete(_ construction: Construction) -> UnpublishedInstance? {
    guard case .held(let instance) = construction.links.phase,
      construction.links.lenders.isEmpty
    else { return nil }
    return instance
  }

  /// Ends constructions that are complete together, in the order of their publication. If a user's ``CustomStorage`` stores
  /// one of them, which takes any time, the graph leads to all of them until they have been published. The mutex is held.
  private static func beginPublishing(
    _ complete: [UnpublishedInstance], _ changes: inout WaitForGraphChanges
  ) {
    let runsUserCode = UnpublishedInstance.areStoredByUser(complete)
    var former: Construction?
    for instance in complete {
      let construction = instance.construction
      construction.links.move(
        to: runsUserCode ? .publishing(instance, after: former) : .ended, &changes)
      former = construction
      // Its end then leaves the graph, see `WaitForGraph.end`.
      if runsUserCode { construction.markLinked() }
      // A user's `CustomStorage` is asked to store it inside of the construction.
      construction.setHeld(false)
    }
  }

  /// Ends a construction that a user's ``CustomStorage`` has stored, or one that was published after such. No resolve gets the
  /// instance early from now on: its publisher takes it, and runs no code of the user's before the waiters go on.
  static func endPublishing(_ instance: UnpublishedInstance) {
    withLock { changes in
      guard case .publishing = instance.construction.links.phase else { return }
      instance.construction.links.move(to: .ended, &changes)
    }
  }
}

extension Construction {
  /// The constructions that a borrower of its instance must wait for. The mutex of the wait-for graph is held.
  fileprivate var lendersOfItsBorrowers: [Construction] {
    switch links.phase {
    // Its own work is done: its own lenders take its place.
    case .held: links.lenders
    // The instance is complete.
    case .publishing: []
    case .building, .initializing, .postponed, .ended: [self]
    }
  }
}
