// SPDX-License-Identifier: MIT

internal import Synchronization

/// The failure of a construction, and of those that depend on it.
///
/// A construction that has got an early reference from one that fails is doomed: its instance refers to one
/// that will never be complete. If it is held or postponed, it is dropped at once. If it runs, each wait of a
/// resolve inside of it ends, and further ones do not begin: it is going to end soon, and to be dropped then.
/// Its caller retries if such a resolve was told so, as nothing that it has done itself is wrong. The same holds
/// for constructions nested in it, up to the resolve. But if the failed construction had begun inside of it, its
/// caller gets the error: it would otherwise begin the same again without end. Those nested in it then fail as their
/// factories do, with the error that they were abandoned: what has failed is no dependency of theirs.
extension WaitForGraph {
  /// Ends a linked construction that has failed. Those that it dooms are dropped, or give up.
  ///
  /// The caller ends all of these, and then lets the instances go: the deinit of one may resolve another.
  static func fail(
    _ construction: Construction, of record: RegistrationRecord, becauseOf error: ResolutionError
  ) -> Failure {
    withLock { changes in
      var dropped: [UnpublishedInstance] = []
      movePostponed(of: construction, &changes)
      construction.links.move(to: .ended, &changes)
      let thrown = thrownError(of: construction, of: record, failingWith: error)
      var seen = FailureSeenOutside(of: construction, thrown)
      let lenders = construction.links.lenders
      var failing = [construction]
      while let next = failing.popLast() {
        var ended = doom(
          ConstructionLinks.unlink(next, &changes), becauseOf: &seen, &changes)
        for instance in next.links.takePostponed() {
          instance.construction.links.move(to: .ended, &changes)
          ended.append(instance)
        }
        dropped += ended
        failing += ended.map(\.construction)
      }
      for lender in lenders where thrown != nil || !lender.isRetained {
        cancelIfUnwanted(lender, &changes)
      }
      return Failure(error: thrown, dropped: dropped, removed: changes.takeRemoved())
    }
  }

  /// The consequences of a failure that the owner of the construction carries out.
  struct Failure {
    /// The error for the caller of the construction; `nil` when that is to retry.
    let error: ResolutionError?
    /// The instances of other constructions that have ended in the graph because of it.
    let dropped: [UnpublishedInstance]
    /// The references that have left the graph, among them the last ones to instances.
    let removed: [AnyObject]
  }

  /// The error for the caller of a construction that has failed; `nil` when it is to retry.
  private static func thrownError(
    of construction: Construction, of record: RegistrationRecord,
    failingWith error: ResolutionError
  ) -> ResolutionError? {
    // The construction was cancelled because no resolve wanted it. Resolves that have come since begin anew.
    if construction.isCancelled { return nil }
    switch construction.links.abandonment {
    case nil: return error
    case .itself: return failure(of: construction, of: record)
    case .part(let doomed): return doomed.links.failure == nil ? nil : error
    }
  }

  /// Dooms constructions, and those that have got an early reference from them. The mutex is held.
  ///
  /// - Returns: the instances of those that have no work left to run: they have ended.
  private static func doom(
    _ constructions: [Construction], becauseOf failure: inout FailureSeenOutside,
    _ changes: inout WaitForGraphChanges
  ) -> [UnpublishedInstance] {
    var pending = constructions
    var ended: [UnpublishedInstance] = []
    while let next = pending.popLast() {
      let links = next.links
      if links.isDoomed || links.phase.isComplete || next.isFinished { continue }
      links.isDoomed = true
      links.failure = failure.error(in: next)
      doomedCount.add(1, ordering: .relaxed)
      beginRefusing()
      pending += ConstructionLinks.unlink(next, &changes)
      for wait in links.waits.values {
        _ = isAbandoned(wait)
        let target = wait.target
        changes.end(wait, .abandoned)
        if let target, links.failure != nil || !target.isRetained {
          cancelIfUnwanted(target, &changes)
        }
      }
      switch links.phase {
      case .postponed(let instance, let blocker):
        blocker.links.postponed.removeAll { $0 === instance }
        links.move(to: .ended, &changes)
        ended.append(instance)
      case .held(let instance):
        links.move(to: .ended, &changes)
        ended.append(instance)
      case .building, .initializing, .publishing, .ended:
        break
      }
    }
    return ended
  }

  /// Whether the resolve is inside of a doomed construction. Marks that, and the constructions nested in it. The mutex
  /// is held.
  static func isAbandoned(_ wait: Wait) -> Bool {
    let doomed = wait.constructions.filter { $0.isLinked && $0.links.isDoomed }
    if doomed.isEmpty { return false }
    for construction in wait.constructions {
      let cause = construction.blockedChain.lazy.compactMap(\.asConstruction)
        .first { each in doomed.contains { $0 === each } }
      guard let cause else { continue }
      construction.markLinked()
      construction.links.abandonment = cause === construction ? .itself : .part(of: cause)
    }
    return true
  }

  /// Whether a resolve may have to be refused: the ordinary steps see to that.
  @inline(__always)
  static func mayRefuse(requestedBy requester: ResolutionContext?) -> Bool {
    refusalCount.load(ordering: .relaxed) != 0
      && (FailureMemory.isKept || isInsideDoomed(requestedBy: requester))
  }

  /// Throws the error of a construction that must not begin: its instance could not be used, or it has failed before.
  @inline(__always)
  static func throwIfRefused(
    _ record: RegistrationRecord, _ request: Request, requestedBy requester: ResolutionContext?
  ) throws(ResolutionError) {
    if refusalCount.load(ordering: .relaxed) == 0 { return }
    try throwIfRefusedSlowly(record, request, requestedBy: requester)
  }

  @inline(never)
  private static func throwIfRefusedSlowly(
    _ record: RegistrationRecord, _ request: Request, requestedBy requester: ResolutionContext?
  ) throws(ResolutionError) {
    if isInsideDoomed(requestedBy: requester) { throw record.abandonment }
    if request.arguments != nil { return }
    let failure = FailureMemory.failure(
      of: record, in: record.dependencies(for: request.container), requestedBy: requester)
    if let failure { throw failure }
  }

  /// Whether a resolve is inside of a doomed construction, which could not use its instance.
  @inline(never)
  private static func isInsideDoomed(requestedBy requester: ResolutionContext?) -> Bool {
    if doomedCount.load(ordering: .relaxed) == 0 { return false }
    let wait = Wait(requestedBy: requester)
    return withLock { _ in isAbandoned(wait) }
  }

  /// The number of doomed constructions that have not ended. A thread that is inside of one has stored this itself, or
  /// has taken the mutex since.
  private static let doomedCount = Atomic<Int>(0)

  /// The number of doomed constructions and of warm-ups under way: one load tells that nothing is refused.
  private static let refusalCount = Atomic<Int>(0)

  /// Has constructions look at what has failed in a warm-up.
  static func beginRefusing() { refusalCount.add(1, ordering: .relaxed) }

  /// Ends what ``beginRefusing()`` began.
  static func endRefusing() { refusalCount.subtract(1, ordering: .relaxed) }

  /// Counts the end of a construction. The mutex is held.
  static func countEnd(of construction: Construction) {
    guard construction.links.isDoomed else { return }
    doomedCount.subtract(1, ordering: .relaxed)
    endRefusing()
  }

  /// The error for the caller of a doomed construction; `nil` when that is to retry.
  static func failure(of instance: UnpublishedInstance) -> ResolutionError? {
    withLock { _ in failure(of: instance.construction, of: instance.record) }
  }

  /// As ``failure(of:)``, with the mutex held.
  private static func failure(
    of construction: Construction, of record: RegistrationRecord
  ) -> ResolutionError? {
    construction.links.failure?.reached(from: record.key, at: record.location)
  }

  /// The failure of a construction that a part of it, which has thrown an error, has doomed; as its factory sees it. `nil` if
  /// it is not doomed.
  static func failure(
    seenIn construction: Construction, after error: ResolutionError
  ) -> ResolutionError? {
    guard construction.isLinked else { return nil }
    return withLock { _ in
      construction.links.isDoomed ? construction.links.failure ?? error : nil
    }
  }
}

extension ResolutionError {
  /// Whether the work was ended with a doomed construction, and did not fail by itself.
  var isAbandonment: Bool { underlyingError is AbandonedConstruction }
}

/// The error of a resolve inside of a doomed construction. The caller of that construction retries.
struct AbandonedConstruction: Error, CustomStringConvertible {
  var description: String {
    "an instance that it got early, while the afterInit actions of that ran, has failed since."
  }
}
