// SPDX-License-Identifier: MIT

/// Actions that need the instance of an enclosing construction before its factory has returned.
///
/// An action that blocks its thread could not wait for the factory. The resolve in the action fails
/// with a cycle error. The action runs again, with all later actions, once the factory has
/// returned; meanwhile the factory gets the action's instance as an early reference.
extension WaitForGraph {
  enum Postponement {
    case postponed
    /// The missing instance exists by now, its construction has ended, or the action is no part of
    /// the construction any more: the action runs again.
    case again
    /// No enclosing construction was missing, or the action's construction is doomed: a failure.
    case failed
  }

  /// Postpones the remaining actions until an enclosing construction has the instance asked for.
  ///
  /// - Parameter context: the context in which the actions run.
  static func postpone(
    _ instance: UnpublishedInstance, in context: ResolutionContext
  ) -> Postponement {
    let construction = instance.construction
    return withLock { changes in
      let blocker = construction.links.blocker
      construction.links.setBlocker(nil, &changes)
      guard let blocker else { return .failed }
      if construction.links.isDoomed {
        // Doomed after the end of the resolve: the caller gets the later error, and no cycle error.
        construction.links.abandonment = .itself
        return .failed
      }
      // A construction in between, for which the blocker does not wait, may have ended since the
      // resolve: the next resolve can wait for the blocker.
      if !blocker.isBuilding || !encloses(blocker, context) { return .again }
      construction.markLinked()
      blocker.markLinked()
      // Pairs with `storeFinished`: either the owner finds the mark afterwards and looks for
      // postponed actions, or the check here finds the blocker finished.
      if blocker.isFinished { return .again }
      postpone(instance, until: blocker, &changes)
      return .postponed
    }
  }

  private static func encloses(_ blocker: Construction, _ context: ResolutionContext) -> Bool {
    let around = ResolutionContext.blockedChain(
      of: [context.enclosing, context.requesting].compactMap { $0 })
    return around.contains { $0 === blocker }
  }

  private static func postpone(
    _ instance: UnpublishedInstance, until blocker: Construction,
    _ changes: inout WaitForGraphChanges
  ) {
    let links = instance.construction.links
    instance.retainResolution()
    links.move(to: .postponed(instance, until: blocker), &changes)
    blocker.links.postponed.append(instance)
    breakCycles(through: instance.construction, heldBy: links.borrowers, &changes)
  }

  /// The next construction whose actions were postponed until now.
  static func nextPostponed(until blocker: Construction) -> UnpublishedInstance? {
    withLock { changes in
      guard !blocker.links.postponed.isEmpty else { return nil }
      let next = blocker.links.postponed.removeFirst()
      next.construction.links.move(to: .initializing(next), &changes)
      return next
    }
  }

  /// Moves actions postponed until a construction that now fails for want of an enclosing one: the
  /// actions wait for the latter, and their instances are not built again. The mutex is held.
  static func movePostponed(of construction: Construction, _ changes: inout WaitForGraphChanges) {
    guard let blocker = construction.links.blocker, blocker.isBuilding,
      !construction.links.postponed.isEmpty,
      construction.blockedChain.contains(where: { $0 === blocker })
    else { return }
    blocker.markLinked()
    if blocker.isFinished { return }
    for instance in construction.links.takePostponed() {
      postpone(instance, until: blocker, &changes)
    }
  }

  // MARK: - Deciding

  /// Breaks the deadlock at an afterInit action or a refresh on the path: the wait ends with a
  /// cycle error. The action runs again once the enclosing factory on the path has returned; the
  /// resolve of a refresh gets the old instance. The mutex is held.
  static func endOneWaitOfActionOrRefresh(
    on path: WaitPath, _ changes: inout WaitForGraphChanges
  ) -> Bool {
    for (wait, around) in path.waits where around.isBuilding {
      let outside = around.blockedChain
      let canBeDoneWithout = wait.constructions.contains { construction in
        (construction.isRefresh || construction.links.phase.instance != nil)
          && !outside.contains { $0 === construction }
      }
      guard canBeDoneWithout else { continue }
      block(wait, until: around, &changes)
      changes.end(wait, .cycle([wait.target?.key, around.key].compactMap { $0 }))
      return true
    }
    return false
  }

  /// Has actions around the failing `wait` run again after `blocker`'s factory. The mutex is held.
  static func block(
    _ wait: Wait, until blocker: Construction, _ changes: inout WaitForGraphChanges
  ) {
    let outside = blocker.blockedChain
    for construction in wait.constructions where !outside.contains(where: { $0 === construction }) {
      // Only around the actions, which run in the construction or in a resumption: a thread with
      // the resolver of an action may meet a cycle of its own.
      let contexts = wait.waiting.filter {
        $0 === construction || $0.isResumption && $0.requesting === construction
      }
      if contexts.contains(where: { encloses(blocker, $0) }) {
        construction.links.setBlocker(blocker, &changes)
      }
    }
  }
}

extension Construction {
  /// Whether the factory has not returned yet. The mutex of the wait-for graph is held.
  fileprivate var isBuilding: Bool {
    guard !isFinished, case .building = links.phase else { return false }
    return true
  }
}
