// SPDX-License-Identifier: MIT

/// Instances lent to a resolve before publication, since a wait for them would never end.
///
/// The construction around such a resolve is the borrower: its instance may refer to an incomplete
/// instance. The borrower is published when all its lenders are complete, and dropped when a lender
/// fails. A lender with completed own work hands its borrowers on to its lenders, so an edge leads
/// only to constructions still at work; a held construction without lenders is complete.
extension WaitForGraph {
  /// The instance under way in `place`, if its factory has returned and a wait would never end.
  static func earlyReference(
    from place: Place, requestedBy requester: ResolutionContext?
  ) -> AnyInstanceBox? {
    let wait = Wait(requestedBy: requester)
    return withLock { changes in
      wait.leaveWhatIsDone(&changes)
      guard !isAbandoned(wait), let target = join(place),
        WaitPath.find(from: target, to: wait.waiting) != nil
      else { return nil }
      return earlyReference(to: target, for: wait)
    }
  }

  /// Lends the instance of `lender` to a resolve, if the factory has returned. The mutex is held.
  ///
  /// A path leads from `lender` to the resolve, inside no doomed construction. So `lender` is not
  /// doomed: a path through it would need a wait inside, a phase held or postponed, or the resolve.
  static func earlyReference(to lender: Construction, for wait: Wait) -> AnyInstanceBox? {
    if let pass = lender.links.pass { return pass }
    guard let instance = lender.links.phase.instance else { return nil }
    lender.markLinked()
    var pending = wait.innermost
    while let next = pending.popLast() {
      // A held construction does not wait for work it started: such work is no part of it any more.
      if next.isDone, !next.isFinished { continue }
      if let borrower = next.asConstruction, borrower.isShared, !borrower.isFinished {
        borrower.markLinked()
        // Pairs with `storeFinished`: either the owner finds the mark afterwards and removes the
        // borrower from the lists, or the check here finds the borrower finished.
        if !borrower.isFinished {
          for each in lender.lendersOfItsBorrowers { ConstructionLinks.link(each, to: borrower) }
          continue
        }
      }
      next.asConstruction?.markLinked()
      // Without the construction around a resumption, whose instance gets no reference here.
      pending += [next.isResumption ? nil : next.enclosing, next.requesting].compactMap { $0 }
    }
    return instance.earlyReference
  }

  /// Ends a wait on the path that only hides an incomplete instance: the path makes the resolve a
  /// part of the same resolution. The mutex is held.
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

  /// The factory has returned: the instance can be lent early from now on.
  static func expose(_ instance: UnpublishedInstance) {
    withLock { instance.construction.links.move(to: .initializing(instance), &$0) }
  }

  /// Ends a construction with completed factory and actions: publishes the instance, with the
  /// borrowers thereby complete; or drops it, if doomed; or else holds it.
  ///
  /// - Returns: whether the instance was published.
  /// - Throws: the reason of a drop, if meant for the caller.
  static func finishWork(
    on instance: UnpublishedInstance
  ) throws(ResolutionError) -> Bool {
    let construction = instance.construction
    let (complete, isDoomed) = withLock { changes -> ([UnpublishedInstance], Bool) in
      if construction.links.isDoomed {
        end(construction, &changes)
        return ([], true)
      }
      let borrowers = ConstructionLinks.eliminate(construction, &changes)
      construction.links.move(to: .held(instance), &changes)
      let complete = ([construction] + borrowers).compactMap(instanceIfComplete)
        .sorted { $0.order < $1.order }
      beginPublishing(complete, &changes)
      if construction.links.phase.isHeld {
        endOwnWork(of: construction, &changes)
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

  /// The instance of a held construction without lenders. The mutex is held.
  private static func instanceIfComplete(_ construction: Construction) -> UnpublishedInstance? {
    guard case .held(let instance) = construction.links.phase,
      construction.links.lenders.isEmpty
    else { return nil }
    return instance
  }

  /// Ends constructions that are complete together, in the order of publication. If a user's
  /// ``CustomStorage`` stores any of the instances, which may take any time, the graph leads to all
  /// the constructions until their publication. The mutex is held.
  ///
  /// All get their numbers before the mutex is given up: a borrower that ends its own work next
  /// finds no lenders, and is complete after all of them. So is an instance that a second thread
  /// builds from the first to be published.
  private static func beginPublishing(
    _ complete: [UnpublishedInstance], _ changes: inout WaitForGraphChanges
  ) {
    for instance in complete { instance.markCompleted() }
    let runsUserCode = UnpublishedInstance.areStoredByUser(complete)
    var former: Construction?
    for instance in complete {
      let construction = instance.construction
      guard runsUserCode else {
        end(construction, &changes)
        continue
      }
      construction.links.move(to: .publishing(instance, after: former), &changes)
      former = construction
      // Marked as linked for the end to leave the graph, see `WaitForGraph.end`.
      construction.markLinked()
      // A user's `CustomStorage` is called inside the construction.
      construction.setDone(false)
    }
  }

  /// Ends a construction stored by a user's ``CustomStorage``, or published after one. Not lent
  /// early any more: the publisher takes the instance, and runs no user code before waiters go on.
  static func endPublishing(_ instance: UnpublishedInstance) {
    withLock { changes in
      guard case .publishing = instance.construction.links.phase else { return }
      end(instance.construction, &changes)
    }
  }

  /// Ends a construction in the graph, before its place leads to anything else. A resolve that the
  /// construction has started, and not awaited, is from then on outside: otherwise a construction
  /// begun in the same place would find a cycle through the ended one. The mutex is held.
  static func end(_ construction: Construction, _ changes: inout WaitForGraphChanges) {
    construction.links.move(to: .ended, &changes)
    endOwnWork(of: construction, &changes)
  }

  /// Takes a construction out of the waits of resolves inside, which may outlive its own work.
  private static func endOwnWork(
    of construction: Construction, _ changes: inout WaitForGraphChanges
  ) {
    construction.setDone(true)
    for wait in construction.links.waits.values { wait.leaveWhatIsDone(&changes) }
  }
}

extension Construction {
  /// The constructions awaited by a borrower of the instance. The wait-for graph's mutex is held.
  fileprivate var lendersOfItsBorrowers: [Construction] {
    switch links.phase {
    // The own work is done: the lenders take the construction's place.
    case .held: links.lenders
    // The instance is complete.
    case .publishing: []
    case .building, .initializing, .postponed, .ended: [self]
    }
  }
}
