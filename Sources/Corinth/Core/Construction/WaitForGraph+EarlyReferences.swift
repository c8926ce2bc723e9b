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
    return withLock { _ in
      wait.leaveWhatIsDone()
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
    guard let instance = lender.links.phase.instance else { return nil }
    lender.markLinked()
    var pending = wait.innermost
    while let next = pending.popLast() {
      // A held construction waits for nothing that it has started: that is no part of it any more.
      if next.isDone, !next.isFinished { continue }
      if let borrower = next.asConstruction, borrower.isShared, !borrower.isFinished {
        borrower.markLinked()
        // A held lender's own work is done: its own lenders take its place.
        for each in lender.links.phase.isHeld ? lender.links.lenders : [lender] {
          ConstructionLinks.link(each, to: borrower)
        }
        continue
      }
      next.asConstruction?.markLinked()
      // Not the enclosing construction of a resumption: its instance gets no reference from these actions.
      pending += [next.isResumption ? nil : next.enclosing, next.requesting].compactMap { $0 }
    }
    return instance.earlyReference
  }

  /// Ends a wait on the path that only hides an incomplete instance: the path makes its resolve a part of the
  /// same resolution. The mutex is held.
  static func endOneWaitEarly(on path: WaitPath, _ resumed: inout [Wait]) -> Bool {
    for (wait, _) in path.waits {
      guard let target = wait.target, let box = earlyReference(to: target, for: wait) else {
        continue
      }
      wait.end(.instance(box))
      resumed.append(wait)
      return true
    }
    return false
  }

  // MARK: - Ending

  /// The factory has returned: the instance can be got early from now on.
  static func expose(_ instance: UnpublishedInstance) {
    withLock { _ in instance.construction.links.move(to: .initialising(instance)) }
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
    let (complete, isDoomed) = withLock { resumed -> ([UnpublishedInstance], Bool) in
      if construction.links.isDoomed {
        construction.links.move(to: .ended)
        return ([], true)
      }
      let borrowers = ConstructionLinks.eliminate(construction)
      construction.links.move(to: .held(instance))
      let complete = ([construction] + borrowers).compactMap(takeIfComplete)
      if construction.links.phase.isHeld {
        construction.setHeld(true)
        for wait in construction.links.waits { wait.leaveWhatIsDone() }
        breakCycles(through: construction, heldBy: borrowers, &resumed)
      }
      return (complete.sorted { $0.order < $1.order }, false)
    }
    if isDoomed {
      let error = failure(of: construction)
      UnpublishedInstance.drop([instance])
      if let error { throw error }
    }
    UnpublishedInstance.publish(complete)
    return complete.contains { $0 === instance }
  }

  /// Ends a held construction that has no lenders left. The mutex is held.
  private static func takeIfComplete(_ construction: Construction) -> UnpublishedInstance? {
    guard case .held(let instance) = construction.links.phase,
      construction.links.lenders.isEmpty
    else { return nil }
    construction.links.move(to: .ended)
    // A user's `Instance` is asked to store it inside of the construction.
    construction.setHeld(false)
    return instance
  }
}
