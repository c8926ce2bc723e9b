// SPDX-License-Identifier: MIT

/// The links of one construction in the wait-for graph. Only touched with its mutex held.
///
/// Most constructions have none: no resolve waits for them.
final class ConstructionLinks {
  private(set) var phase = ConstructionPhase.building
  /// The waits for it. Any number of tasks may wait, and each may leave alone.
  var waiters: [ObjectIdentifier: Wait] = [:]
  /// The waits of resolves inside of it.
  var waits: [ObjectIdentifier: Wait] = [:]

  /// The box that a resolve gets instead of a wait for this that would never end. A turn sets it when its work is done so far
  /// that others may see it.
  var pass: AnyInstanceBox?

  /// The constructions that must end before this one is published: their own work still runs, and this one has
  /// got an early reference from them, or through others from them.
  private(set) var lenders: [Construction] = []
  /// The inverse of ``lenders``.
  private(set) var borrowers: [Construction] = []
  /// A construction that it got an early reference from, directly or not, has failed: it cannot be published.
  var isDoomed = false
  /// Why it is doomed, as its factory sees it, if the construction that has failed had begun inside of it.
  var failure: ResolutionError?
  /// The reason why a resolve inside of it was ended, if one was.
  var abandonment: Abandonment?

  /// The enclosing construction whose instance the innermost unfinished action has asked for in vain.
  private(set) var blocker: Construction?
  /// Constructions whose actions run when this one's factory has returned.
  var postponed: [UnpublishedInstance] = []

  /// The task that builds it, from its start to the end of the construction.
  var task: Task<Void, Never>?
  /// The priority of the most urgent waiter, which the task has once there is one.
  var taskPriority: TaskPriority?
  /// Whether the resolve that claimed the state has started the task: until then its wait is still to come.
  var isTaskStarted = false

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

  /// The constructions whose actions were to run when the factory had returned. There are none any more.
  func takePostponed() -> [UnpublishedInstance] {
    defer { postponed = [] }
    return postponed
  }

  /// Has `borrower` wait for the end of `lender` before it is published.
  static func link(_ lender: Construction, to borrower: Construction) {
    guard lender !== borrower, !borrower.links.lenders.contains(where: { $0 === lender }) else {
      return
    }
    borrower.links.lenders.append(lender)
    lender.links.borrowers.append(borrower)
  }

  /// Takes a construction whose own work is done out of the graph of early references: its lenders take its
  /// place with all its borrowers.
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

  /// Takes a construction that ends out of the graph of early references.
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

  /// The links of a construction in the child of a fork, where the other threads are gone.
  func copyOfPhase() -> ConstructionLinks {
    let copy = ConstructionLinks()
    copy.phase = phase
    copy.postponed = postponed
    (copy.isDoomed, copy.abandonment, copy.failure) = (isDoomed, abandonment, failure)
    return copy
  }
}
