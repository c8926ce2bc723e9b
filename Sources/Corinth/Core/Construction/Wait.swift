// SPDX-License-Identifier: MIT

/// A caller that waits for a construction or for the end of a closing: a thread on a latch, or a
/// suspended task.
///
/// All properties are only touched with the mutex of the wait-for graph held, or by the waiter
/// before the beginning and after the end of the wait.
@safe
// SAFETY: see above.
final class Wait: @unchecked Sendable {
  /// The contexts that wait for the resolve, innermost first.
  private(set) var waiting: [ResolutionContext]
  /// The innermost of the waiting contexts.
  let innermost: [ResolutionContext]
  /// Whether the waiting resolve has begun the target, or is a part of the target.
  private var isInsideTarget = false
  /// The disposals in whose disposers the resolve waits.
  private let disposals = DisposalContext.enclosing
  /// The target, from the beginning of the wait until the end.
  private(set) var node: WaitNode?
  private var outcome: Outcome = .retry
  /// Whether the task was cancelled before the wait began.
  var isCancelled = false
  private var waiter: Waiter?

  @safe
  enum Waiter {
    case thread(Latch)
    case task(UnsafeContinuation<Outcome, Never>)
  }

  enum Outcome: Sendable {
    /// The construction has ended or changed its phase: the resolve retries.
    case retry
    /// A construction older than the resolve has failed: retry, and share the next failure.
    case retryOnce
    /// The instance: published, or lent early, as the wait would never end.
    case instance(AnyInstanceBox)
    /// A wait would never end: the keys from the wanted one to one that the caller is building.
    case cycle([RegistrationKey])
    /// The resolve is inside a construction that cannot be published.
    case abandoned
    /// The waiting task was cancelled.
    case cancelled
    /// A task builds the key, on which the resolve depends, and may need the resolve's thread.
    case refused(RegistrationKey)
    /// The construction has failed, and the waiting resolve with it.
    case failed(ResolutionError)
    /// A task carries the awaited closing out. A blocked thread could keep the task from running.
    case passedToTask
  }

  /// The construction begun by the resolve, if any.
  private let begun: Construction?
  private let hasSeenFailure: Bool
  /// Whether the waiting thread runs a task.
  private let isOnTaskThread = TaskThread.isCurrent

  /// - Parameters:
  ///   - requester: the context whose resolver asked, if any.
  ///   - earlier: the attempts of the waiting resolve; `nil` for all other waits.
  @inline(never)
  init(requestedBy requester: ResolutionContext?, after earlier: EarlierAttempts? = nil) {
    innermost = ResolutionContext.innermost(requestedBy: requester)
    waiting = ResolutionContext.blockedChain(of: innermost)
    isResolve = earlier != nil
    begun = earlier?.begun
    hasSeenFailure = earlier?.hasSeenFailure ?? false
  }

  deinit { HeldLocks.assertNone(Wait.self) }

  /// Whether a cancellation of a construction around ends the wait: a thread goes on, and a closing
  /// waits until all instances are disposed of.
  var isCancellable: Bool {
    if case .thread = waiter { return false }
    return isResolve
  }

  /// Whether the waiter wants the instance. Closings and disposals only wait for the end.
  let isResolve: Bool

  /// Whether a synchronous resolve may block a thread that runs a task: its own, or the thread of a
  /// factory around. An asynchronous factory counts: its thread may be blocked until the resolve
  /// ends.
  var mayBlockTaskThread: Bool {
    if case .task = waiter { return false }
    return isResolve
      && (isOnTaskThread || waiting.contains { $0.isAwaited || $0.isOnTaskThread })
  }

  /// The waiting constructions.
  var constructions: some Sequence<Construction> {
    waiting.lazy.compactMap(\.asConstruction)
  }

  /// Whether the caller is a part of any node.
  var isInsideAny: Bool { !disposals.isEmpty || constructions.contains { _ in true } }

  /// Whether the caller is a part of a node.
  func isInside(_ node: WaitNode) -> Bool {
    switch node {
    case .construction(let construction): waiting.contains { $0 === construction }
    case .disposal(let disposal): disposals.contains { $0 === disposal }
    }
  }

  /// Whether a thread is blocked.
  var blocksThread: Bool { if case .thread = waiter { true } else { false } }

  /// The target, if a construction.
  var target: Construction? { node?.construction }

  /// Enters the wait into the graph.
  func begin(for target: Construction, _ waiter: Waiter, _ changes: inout WaitForGraphChanges) {
    begin(for: .construction(target), waiter)
    isInsideTarget = hasBegun(target) || innermost.contains { $0.hasBegun(inside: target) }
    WaitForGraph.refuseWaits(for: Array(constructions), behind: target, &changes)
  }

  func begin(for node: WaitNode, _ waiter: Waiter? = nil) {
    self.waiter = waiter
    self.node = node
    node.add(waiter: self)
    for construction in constructions { construction.links.waits[ObjectIdentifier(self)] = self }
    for disposal in disposals { disposal.waits[ObjectIdentifier(self)] = self }
  }

  /// Whether the waiting resolve has begun `construction`.
  func hasBegun(_ construction: Construction) -> Bool { begun === construction }

  /// The outcome when the construction has failed.
  ///
  /// A resolve that is a part of the construction shares its failure. Waiters older than the
  /// attempt do too, if it ran in a task of its own: otherwise each would start an attempt in turn.
  /// Not if a thread built: the thread's own resolve may be at fault. Never called if cancelled.
  func outcome(afterFailure error: ResolutionError, of construction: Construction) -> Outcome {
    if isInsideTarget { return .failed(error) }
    // A construction that had to give up says nothing about the next construction.
    guard isResolve, construction.isAsynchronous, !error.isAbandonment else { return .retry }
    return hasSeenFailure ? .failed(error) : .retryOnce
  }

  /// Only for ``WaitForGraphChanges/end(_:_:)``, which holds wait and node: leaves the graph.
  func end(_ outcome: Outcome) {
    self.outcome = outcome
    node?.remove(waiter: self)
    for construction in constructions { construction.links.waits[ObjectIdentifier(self)] = nil }
    for disposal in disposals { disposal.waits[ObjectIdentifier(self)] = nil }
    node = nil
  }

  /// Leaves out contexts that no longer wait for the resolve: their own work is done, or the work
  /// of a context between.
  func leaveWhatIsDone(_ changes: inout WaitForGraphChanges) {
    guard waiting.contains(where: \.isDone) else { return }
    let left = ResolutionContext.blockedChain(of: innermost)
    for construction in constructions where !left.contains(where: { $0 === construction }) {
      construction.links.waits[ObjectIdentifier(self)] = nil
    }
    changes.release(waiting)
    waiting = left
  }

  /// Resumes the waiter. The mutex is not held: the executor of a task may be user code.
  ///
  /// The call may outlive the waiter's use of the instance.
  func resume() {
    switch waiter {
    case .thread(let latch): latch.open()
    case .task(let continuation):
      ResumptionOrder.release(self)
      unsafe continuation.resume(returning: takeOutcome())
    case nil: break
    }
  }

  /// The outcome of the wait, for the waiter alone.
  func takeOutcome() -> Outcome {
    defer { outcome = .retry }
    return outcome
  }
}

/// The constructions begun or waited for by a resolve before its retries. Small: nested resolves
/// have one each on the stack.
struct EarlierAttempts {
  /// The construction begun by the resolve, if any.
  private(set) var begun: Construction?
  /// Whether the resolve has waited for a failed construction: the next begins after the resolve.
  var hasSeenFailure = false
  /// Whether a task resolves, whose thread must not block. The task goes on at ``located``.
  var isInTask = false
  /// The place of the instance, or of the resolution begun with a construction in vain.
  var located: Shared<InstanceLocation>?
  /// The latest of these places where the resolve has begun a construction.
  private(set) var begunAt: Shared<InstanceLocation>?
  /// Numbers the resolution, for a ``CustomStorage``; 0 for not yet.
  var resolution: UInt64 = 0

  /// Notes a construction begun by the resolve, or about to begin.
  mutating func begin(_ construction: Construction) {
    if let begun, begun !== construction { construction.follow(begun) }
    begun = construction
    begunAt = located
  }

  /// Whether the resolve has begun a construction at ``located``.
  var hasBegunThere: Bool { begunAt != nil && begunAt === located }
}
