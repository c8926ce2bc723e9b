// SPDX-License-Identifier: MIT

/// The constructions that nobody needs any more.
///
/// A construction of a task is *wanted* if a resolve waits for it that is a part of no task's construction, or of one that is
/// wanted; or if a borrower of its instance is wanted. To be waited for, or to have a borrower, is not enough: constructions
/// that only need each other would go on when what has begun them has failed. Their actions could ask for that again, and so
/// begin the next ones of their kind, without end.
extension WaitForGraph {
  /// Cancels the construction of a task if it is unwanted, and with it those that need it: they would begin it again. The
  /// mutex is held.
  ///
  /// The cancellation of a task reaches neither the tasks that were handed its resolver, nor the constructions that
  /// these wait for: their waits end here. What it waits for, or has got early, may not be wanted any more either.
  static func cancelIfUnwanted(
    _ construction: Construction, _ changes: inout WaitForGraphChanges
  ) {
    var pending = [construction]
    while let next = pending.popLast() {
      guard next.links.isTaskStarted, !next.isCancelled, let unwanted = unwanted(with: next) else {
        continue
      }
      for each in unwanted where each.links.isTaskStarted && !each.isCancelled {
        each.markCancelled()
        if let task = each.links.task { changes.cancel(task) }
        for wait in each.links.waits.values where wait.isCancellable {
          if let target = wait.target { pending.append(target) }
          changes.end(wait, .cancelled)
        }
        pending += each.links.lenders
      }
    }
  }

  /// A construction and those that need it, directly or not, if none is wanted; `nil` if one is.
  private static func unwanted(with construction: Construction) -> [Construction]? {
    var visited = VisitedObjects()
    _ = visited.visit(construction)
    var found = [construction]
    var next = 0
    while next < found.count {
      let each = found[next]
      let needs = each.needs
      if needs.isCallerWaiting { return nil }
      // It goes on for a resolve that was abandoned, and will ask for it again.
      if next > 0, needs.isEmpty, each.isAwaited, !each.links.phase.isHeld { return nil }
      for construction in needs.constructions where visited.visit(construction) {
        found.append(construction)
      }
      next += 1
    }
    return found
  }
}

/// What needs the instance of a construction.
private struct Needs {
  /// Whether a resolve needs it that is a part of no construction of a task.
  private(set) var isCallerWaiting = false
  private(set) var isEmpty = true
  /// The constructions that need it, but for those that were cancelled.
  private(set) var constructions: [Construction] = []

  /// Adds a need of contexts that are innermost side by side, and with it of those around them up to the first that a task
  /// builds.
  mutating func add(_ innermost: [ResolutionContext]) {
    isEmpty = false
    var isPartOfAny = false
    var pending = innermost
    while let next = pending.popLast() {
      // Of what is done, the rest of the work is not a part any more.
      if next.isDone { continue }
      isPartOfAny = true
      if let construction = next.asConstruction, !construction.isCancelled {
        constructions.append(construction)
      }
      if next.isAwaited { continue }
      let around = [next.enclosing, next.isResumption ? nil : next.requesting].compactMap { $0 }
      if around.allSatisfy(\.isDone) { isCallerWaiting = true }
      pending += around
    }
    if !isPartOfAny { isCallerWaiting = true }
  }

  /// Adds a borrower. A held one of a task is needed by what waits for it, or not at all: what has got its instance early has
  /// the same lenders. One of a thread is needed by that, which comes back for it.
  mutating func add(borrower: Construction) {
    isEmpty = false
    if borrower.isAwaited {
      if !borrower.isCancelled || borrower.links.phase.isHeld { constructions.append(borrower) }
      return
    }
    constructions.append(borrower)
    add([borrower.enclosing, borrower.requesting].compactMap { $0 })
  }
}

extension Construction {
  /// What needs its instance now. The mutex of the wait-for graph is held.
  fileprivate var needs: Needs {
    var needs = Needs()
    // Most have one waiter after the other that is a caller: the first is enough.
    for wait in links.waiters.values where wait.isResolve {
      needs.add(wait.innermost)
      if needs.isCallerWaiting { return needs }
    }
    for borrower in links.borrowers { needs.add(borrower: borrower) }
    return needs
  }
}
