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
  ///
  /// Depth-first: of thousands that wait for one instance, the first mostly leads to a caller in a few steps.
  private static func unwanted(with construction: Construction) -> [Construction]? {
    var visited = VisitedObjects()
    _ = visited.visit(construction)
    var found = [construction]
    var open = [Needs(of: construction)]
    while !open.isEmpty {
      guard let need = open[open.count - 1].next() else {
        open.removeLast()
        continue
      }
      if need.isOfCaller { return nil }
      for each in need.constructions where visited.visit(each) {
        let needs = Needs(of: each)
        // It goes on for a resolve that was abandoned, and will ask for it again.
        if needs.isEmpty, each.isAwaited, !each.links.phase.isHeld { return nil }
        found.append(each)
        open.append(needs)
      }
    }
    return found
  }
}

/// The resolves and borrowers that need the instance of a construction now. The mutex of the wait-for graph is held, and what is seen does not change.
private struct Needs: IteratorProtocol {
  private var waits: Dictionary<ObjectIdentifier, Wait>.Values.Iterator
  private var borrowers: Array<Construction>.Iterator
  let isEmpty: Bool

  init(of construction: Construction) {
    let links = construction.links
    waits = links.waiters.values.makeIterator()
    borrowers = links.borrowers.makeIterator()
    isEmpty = links.borrowers.isEmpty && !links.waiters.values.contains(where: \.isResolve)
  }

  mutating func next() -> Need? {
    while let wait = waits.next() {
      if wait.isResolve { return Need(of: wait.innermost) }
    }
    return borrowers.next().map { Need(ofBorrower: $0) }
  }
}

/// One resolve or borrower that needs an instance.
private struct Need {
  /// Whether it is a resolve that is a part of no construction of a task.
  var isOfCaller = false
  /// The constructions that it is a part of, but for those that were cancelled.
  var constructions: [Construction] = []
}

extension Need {
  /// That of contexts that are innermost side by side, and of those around them up to the first that a task builds.
  init(of innermost: [ResolutionContext]) {
    self.init()
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
      if around.allSatisfy(\.isDone) { isOfCaller = true }
      pending += around
    }
    if !isPartOfAny { isOfCaller = true }
  }

  /// A held borrower of a task is needed by what waits for it, or not at all: what has got its instance early has the same
  /// lenders. One of a thread is needed by that, which comes back for it.
  init(ofBorrower borrower: Construction) {
    if borrower.isAwaited {
      let isNeed = !borrower.isCancelled || borrower.links.phase.isHeld
      self.init(isOfCaller: false, constructions: isNeed ? [borrower] : [])
    } else {
      self.init(of: [borrower.enclosing, borrower.requesting].compactMap { $0 })
      constructions.append(borrower)
    }
  }
}
