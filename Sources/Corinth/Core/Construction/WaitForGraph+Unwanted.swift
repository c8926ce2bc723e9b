// SPDX-License-Identifier: MIT

/// The constructions no longer needed by anybody.
///
/// A construction of a task is *wanted* if a resolve waits for the instance, outside of all tasks'
/// constructions or in a wanted one; or if a borrower is wanted. Neither a waiter nor a borrower is
/// enough by itself: constructions that only need each other would go on after a failure of the
/// construction that began them. Their actions could ask for the failed instance again, and so
/// begin more constructions of their kind, without end.
extension WaitForGraph {
  /// Cancels an unwanted construction of a task, with all constructions that need the instance,
  /// which would begin it again. The mutex is held.
  ///
  /// The cancellation of a task reaches neither tasks with its resolver, nor constructions such
  /// tasks wait for: their waits end here. Awaited constructions and lenders may be unwanted too.
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
        if let task = each.links.task ?? nil { changes.cancel(task) }
        for wait in each.links.waits.values where wait.isCancellable {
          if let target = wait.target { pending.append(target) }
          changes.end(wait, .cancelled)
        }
        pending += each.links.lenders
      }
    }
  }

  /// A construction and all dependents, direct or not, if none is wanted; `nil` if any is wanted.
  ///
  /// Depth-first: of thousands of waiters, the first mostly leads to a caller in a few steps.
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
        // The construction goes on for an abandoned resolve, which will ask again.
        if needs.isEmpty, each.isAwaited, !each.links.phase.isHeld { return nil }
        found.append(each)
        open.append(needs)
      }
    }
    return found
  }
}

/// The resolves and borrowers that need an instance now. The wait-for graph's mutex is held.
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

/// A resolve or borrower that needs an instance.
private struct Need {
  /// Whether the need is a resolve outside of all tasks' constructions.
  var isOfCaller = false
  /// The constructions around the need, without cancelled ones.
  var constructions: [Construction] = []
}

extension Need {
  /// The need of contexts side by side, and of contexts around up to the first built by a task.
  init(of innermost: [ResolutionContext]) {
    self.init()
    var isPartOfAny = false
    var pending = innermost
    while let next = pending.popLast() {
      // Work still running inside a context that is done is no part of the context any more.
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

  /// A held borrower of a task is needed by its waiters, or not at all: borrowers of its instance
  /// share its lenders. A thread's borrower is needed by the thread, which comes back for it.
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
