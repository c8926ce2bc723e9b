// SPDX-License-Identifier: MIT

/// Actions that need the instance of an enclosing construction, whose factory has not returned yet.
///
/// An action that blocks its thread could not wait for that. The resolve in it fails with a cycle error. The action
/// runs again when that factory has returned, and with it those after it; meanwhile the factory gets the instance as
/// it is, as an early reference.
extension WaitForGraph {
  enum Postponement {
    case postponed
    /// The missing instance exists by now, or its construction has ended: the action runs again at once.
    case again
    /// No enclosing construction is missing, or the construction of the action is doomed: the action has failed.
    case failed
  }

  /// Postpones the remaining actions until the enclosing construction that one of them asked for has its
  /// instance.
  ///
  /// - Parameter context: the context that the actions run in.
  static func postpone(
    _ instance: UnpublishedInstance, in context: ResolutionContext
  ) -> Postponement {
    let construction = instance.construction
    return withLock { changes in
      let blocker = construction.links.blocker
      construction.links.setBlocker(nil, &changes)
      guard let blocker else { return .failed }
      if construction.links.isDoomed {
        // Doomed after the resolve had ended: the caller gets what it would have got a moment later, no cycle error.
        construction.links.abandonment = .itself
        return .failed
      }
      if !blocker.isBuilding { return .again }
      guard encloses(blocker, context) else { return .failed }
      construction.markLinked()
      blocker.markLinked()
      // Pairs with `storeFinished`: either the owner finds the mark after it and looks for what was postponed,
      // or this finds it finished.
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

  /// Moves the actions that were postponed until a construction which now fails for want of an enclosing one: they
  /// wait for the enclosing one instead, and their instances are not built again. The mutex is held.
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

  /// Breaks the deadlock at an afterInit action or a refresh on the path: its wait ends with a cycle error. The action
  /// runs again once the enclosing factory on the path has returned; the resolve that refreshes gets the old instance. The
  /// mutex is held.
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

  /// Remembers for the actions around a resolve that fails which instance they lack. The mutex is held.
  static func block(
    _ wait: Wait, until blocker: Construction, _ changes: inout WaitForGraphChanges
  ) {
    let outside = blocker.blockedChain
    for construction in wait.constructions where !outside.contains(where: { $0 === construction }) {
      construction.links.setBlocker(blocker, &changes)
    }
  }
}

extension Construction {
  /// Whether its factory has not returned yet. The mutex of the wait-for graph is held.
  fileprivate var isBuilding: Bool {
    guard !isFinished, case .building = links.phase else { return false }
    return true
  }
}
