// SPDX-License-Identifier: MIT

/// The links of a construction in the wait-for graph. Only touched with the graph's mutex held.
///
/// Most constructions never have links: no resolve waits for them.
final class ConstructionLinks {
  private(set) var phase = ConstructionPhase.building
  /// The waits for the construction. Any number of tasks may wait, and each may leave by itself.
  var waiters: [ObjectIdentifier: Wait] = [:]
  /// The waits of resolves inside the construction.
  var waits: [ObjectIdentifier: Wait] = [:]

  /// The box for a resolve whose wait for the construction would never end. Set by a turn whose
  /// work has come so far that concurrent callers may see the result.
  var pass: AnyInstanceBox?

  /// A state that gets the instance too: see ``WaitForGraph/keptState(of:)``.
  var kept: InstanceState?

  /// The constructions that must end before this construction is published: they still run, and
  /// have lent an early reference, directly or through further constructions.
  private(set) var lenders: [Construction] = []
  /// The inverse of ``lenders``.
  private(set) var borrowers: [Construction] = []
  /// Set once a direct or indirect lender has failed: the instance cannot be published. The reason,
  /// as seen by the factory, if the failed construction had begun inside.
  var doom: ResolutionError??
  var isDoomed: Bool { doom != nil }
  var failure: ResolutionError? { doom ?? nil }
  /// The reason why a resolve inside the construction was ended, if any was.
  var abandonment: Abandonment?

  /// The enclosing construction whose instance the innermost unfinished action lacks.
  private(set) var blocker: Construction?
  /// Constructions whose actions run once this construction's factory has returned.
  var postponed: [UnpublishedInstance] = []

  /// Set once the claiming resolve has started a task to build the instance: before, its own wait
  /// is still to come. The task, from the moment when it is known here until the construction ends.
  var task: Task<Void, Never>??
  var isTaskStarted: Bool { task != nil }
  /// The priority of the most urgent waiter, given to the task once a task exists.
  var taskPriority: TaskPriority?

  func move(to next: ConstructionPhase, _ changes: inout WaitForGraphChanges) {
    precondition(
      phase.canBecome(next), "ConstructionLinks.move: \(phase) must not become \(next)")
    changes.release(phase)
    phase = next
  }

  func setBlocker(_ next: Construction?, _ changes: inout WaitForGraphChanges) {
    if let blocker { changes.release(blocker) }
    blocker = next
  }

  /// Takes the constructions whose actions were to run after the factory, and leaves none.
  func takePostponed() -> [UnpublishedInstance] {
    defer { postponed = [] }
    return postponed
  }

  /// Makes `borrower` wait for the end of `lender` before publication.
  static func link(_ lender: Construction, to borrower: Construction) {
    guard lender !== borrower, !borrower.links.lenders.contains(where: { $0 === lender }) else {
      return
    }
    borrower.links.lenders.append(lender)
    lender.links.borrowers.append(borrower)
  }

  /// Removes a construction with completed own work from the graph of early references: its lenders
  /// take its place for all borrowers.
  ///
  /// - Returns: the former borrowers.
  static func eliminate(
    _ construction: Construction, _ changes: inout WaitForGraphChanges
  ) -> [Construction] {
    let links = construction.links
    let borrowers = links.borrowers
    changes.release(borrowers)
    links.borrowers = []
    for borrower in borrowers {
      borrower.links.lenders.removeAll { $0 === construction }
      for lender in links.lenders { link(lender, to: borrower) }
    }
    return borrowers
  }

  /// Removes an ending construction from the graph of early references.
  ///
  /// - Returns: the former borrowers.
  static func unlink(
    _ construction: Construction, _ changes: inout WaitForGraphChanges
  ) -> [Construction] {
    let links = construction.links
    changes.release(links.lenders)
    changes.release(construction)
    for lender in links.lenders { lender.links.borrowers.removeAll { $0 === construction } }
    for borrower in links.borrowers { borrower.links.lenders.removeAll { $0 === construction } }
    defer { (links.lenders, links.borrowers) = ([], []) }
    return links.borrowers
  }

  /// The links of a construction in the child of a fork, where all other threads are gone.
  func copyOfPhase() -> ConstructionLinks {
    let copy = ConstructionLinks()
    copy.phase = phase
    copy.postponed = postponed
    (copy.doom, copy.abandonment) = (doom, abandonment)
    return copy
  }
}
