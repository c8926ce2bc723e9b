// SPDX-License-Identifier: MIT

internal import Synchronization

/// The failure of a construction and of its dependents.
///
/// A construction with an early reference from a failed construction is doomed: its instance refers
/// to one that will never be complete. If held or postponed, it is dropped at once. If it runs, all
/// waits of resolves inside end, and no further ones begin: it will end soon, and be dropped. If a
/// resolve was refused, the caller retries, as the doomed construction's own work is not at fault;
/// so do the callers of constructions nested inside, up to the resolve. But if the failed one had
/// begun inside the doomed one, the caller gets the error: retries would begin it without end.
/// Nested ones then fail as abandoned, with their factories: no dependency of theirs failed.
extension WaitForGraph {
  /// Ends a linked construction that has failed. Doomed constructions are dropped, or give up.
  ///
  /// The caller ends all of them, and then releases the instances: a deinit may resolve a key.
  static func fail(
    _ construction: Construction, of record: RegistrationRecord, becauseOf error: ResolutionError
  ) -> Failure {
    withLock { changes in
      var dropped: [UnpublishedInstance] = []
      movePostponed(of: construction, &changes)
      end(construction, &changes)
      let thrown = thrownError(of: construction, of: record, failingWith: error)
      var seen = FailureSeenOutside(of: construction, thrown)
      let lenders = construction.links.lenders
      var failing = [construction]
      while let next = failing.popLast() {
        var ended = doom(
          ConstructionLinks.unlink(next, &changes), becauseOf: &seen, &changes)
        for instance in next.links.takePostponed() {
          end(instance.construction, &changes)
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

  /// The consequences of a failure, to be carried out by the construction's owner.
  struct Failure {
    /// The error for the caller of the construction; `nil` to retry.
    let error: ResolutionError?
    /// The instances of further constructions that the failure has ended in the graph.
    let dropped: [UnpublishedInstance]
    /// The references that have left the graph, perhaps the last ones to instances.
    let removed: [AnyObject]
  }

  /// The error for the caller of a failed construction; `nil` to retry.
  private static func thrownError(
    of construction: Construction, of record: RegistrationRecord,
    failingWith error: ResolutionError
  ) -> ResolutionError? {
    // Cancelled because no resolve wanted the instance. Resolves that came later begin anew.
    if construction.isCancelled { return nil }
    switch construction.links.abandonment {
    case nil: return error
    case .itself: return failure(of: construction, of: record)
    case .part(let doomed): return doomed.links.failure == nil ? nil : error
    }
  }

  /// Dooms constructions, and the borrowers of their instances. The mutex is held.
  ///
  /// - Returns: the instances of constructions without remaining work: they have ended.
  private static func doom(
    _ constructions: [Construction], becauseOf failure: inout FailureSeenOutside,
    _ changes: inout WaitForGraphChanges
  ) -> [UnpublishedInstance] {
    var pending = constructions
    var ended: [UnpublishedInstance] = []
    while let next = pending.popLast() {
      let links = next.links
      if links.isDoomed || links.phase.isComplete || next.isFinished { continue }
      links.doom = .some(failure.error(in: next))
      doomedCount.add(1, ordering: .relaxed)
      beginRefusing()
      pending += ConstructionLinks.unlink(next, &changes)
      for wait in links.waits.values {
        // A caller that waits for the end of a closing goes on waiting.
        guard let target = wait.target else { continue }
        _ = isAbandoned(wait)
        changes.end(wait, .abandoned)
        if links.failure != nil || !target.isRetained {
          cancelIfUnwanted(target, &changes)
        }
      }
      switch links.phase {
      case .postponed(let instance, let blocker):
        blocker.links.postponed.removeAll { $0 === instance }
        end(next, &changes)
        ended.append(instance)
      case .held(let instance):
        end(next, &changes)
        ended.append(instance)
      case .building, .initializing, .publishing, .ended:
        break
      }
    }
    return ended
  }

  /// Whether the resolve is inside a doomed construction. Marks the doomed construction, and the
  /// constructions nested inside. The mutex is held.
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

  /// Whether a resolve may have to be refused: the ordinary steps find out.
  @inline(__always)
  static func mayRefuse(requestedBy requester: ResolutionContext?) -> Bool {
    refusalCount.load(ordering: .relaxed) != 0 && mayRefuseSlowly(requestedBy: requester)
  }

  @inline(never)
  private static func mayRefuseSlowly(requestedBy requester: ResolutionContext?) -> Bool {
    FailureMemory.isKept || isInsideDoomed(requestedBy: requester)
  }

  /// Throws the error of a construction that must not begin: useless, or failed before.
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

  /// Whether a resolve is inside a doomed construction, for which the instance is useless.
  @inline(never)
  private static func isInsideDoomed(requestedBy requester: ResolutionContext?) -> Bool {
    if doomedCount.load(ordering: .relaxed) == 0 { return false }
    let wait = Wait(requestedBy: requester)
    return withLock { _ in isAbandoned(wait) }
  }

  /// The number of doomed constructions that have not ended. A thread inside a doomed construction
  /// has stored the number itself, or has taken the mutex since.
  private static let doomedCount = Atomic<Int>(0)

  /// The number of doomed constructions and of warm-ups under way: 0 means that nothing is refused.
  private static let refusalCount = Atomic<Int>(0)

  /// Makes constructions look at failures of a warm-up.
  static func beginRefusing() { refusalCount.add(1, ordering: .relaxed) }

  /// Ends a ``beginRefusing()``.
  static func endRefusing() { refusalCount.subtract(1, ordering: .relaxed) }

  /// Counts the end of a construction. The mutex is held.
  static func countEnd(of construction: Construction) {
    guard construction.links.isDoomed else { return }
    doomedCount.subtract(1, ordering: .relaxed)
    endRefusing()
  }

  /// The error for the caller of a doomed construction; `nil` to retry.
  static func failure(of instance: UnpublishedInstance) -> ResolutionError? {
    withLock { _ in failure(of: instance.construction, of: instance.record) }
  }

  /// As ``failure(of:)``, with the mutex held.
  private static func failure(
    of construction: Construction, of record: RegistrationRecord
  ) -> ResolutionError? {
    construction.links.failure?.reached(from: record.key, at: record.location, record.askerKind)
  }

  /// The failure of a construction doomed by a part of it, which threw `error`, as seen by the
  /// factory. `nil` for a construction that is not doomed.
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
  /// Whether the work ended with a doomed construction, and did not fail by itself.
  var isAbandonment: Bool { underlyingError is AbandonedConstruction }
}

/// The error of a resolve inside a doomed construction, whose caller retries.
struct AbandonedConstruction: Error, CustomStringConvertible {
  var description: String {
    "an instance that it got early, while the afterInit actions of that ran, has failed since."
  }
}
