// SPDX-License-Identifier: MIT

/// One resolve that waits for a construction: a thread on a latch, or a suspended task.
///
/// Its properties are only touched with the mutex of the wait-for graph held, or by the waiter before the wait
/// begins and after it has ended.
@safe
// SAFETY: see above.
final class Wait: @unchecked Sendable {
  /// The contexts that wait for the resolve, innermost first.
  private(set) var waiting: [ResolutionContext]
  /// The innermost ones of these.
  let innermost: [ResolutionContext]
  /// Whether the waiting resolve has begun the construction, or is itself a part of it.
  private var isInsideTarget = false
  /// The disposals in whose disposers the resolve waits.
  private let disposals = DisposalContext.enclosing
  private(set) var target: Construction?
  private var outcome: Outcome = .retry
  /// Whether the task was cancelled before its wait began.
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
    /// The construction has failed, which had begun before the resolve: it retries, and shares the next failure.
    case retryOnce
    /// The instance: published, or early, as a wait for it would never end.
    case instance(AnyInstanceBox)
    /// A wait would never end: the keys from the one wanted to one that the caller is building.
    case cycle([RegistrationKey])
    /// The resolve is inside of a construction that cannot be published.
    case abandoned
    /// The waiting task was cancelled.
    case cancelled
    /// A task builds this key, which the resolve depends on, and no thread is left to run it.
    case refused(RegistrationKey)
    /// The construction has failed, and with it the waiting resolve.
    case failed(ResolutionError)
  }

  /// The construction that the resolve has begun, if any.
  private let begun: Construction?
  private let hasSeenFailure: Bool
  /// The thread that waits, if it runs a task.
  private let taskThread = TaskThread.current

  /// - Parameters:
  ///   - requester: the context whose resolver asked, if any.
  ///   - earlier: what the waiting resolve has gone through; `nil` if it is no resolve, but a closing.
  init(requestedBy requester: ResolutionContext?, after earlier: EarlierAttempts? = nil) {
    innermost = ResolutionContext.innermost(requestedBy: requester)
    waiting = ResolutionContext.blockedChain(of: innermost)
    isResolve = earlier != nil
    begun = earlier?.begun
    hasSeenFailure = earlier?.hasSeenFailure ?? false
  }

  deinit { HeldLocks.assertNone(Wait.self) }

  /// Whether it ends when a construction is cancelled that it is inside of: a thread goes on, and a closing waits until
  /// it has disposed of all instances.
  var isCancellable: Bool {
    if case .thread = waiter { return false }
    return isResolve
  }

  /// Whether it wants the instance. A closing or a disposal only waits for its end.
  let isResolve: Bool

  /// Whether the resolve may block a thread that tasks share: in a task, or in what such a thread runs. An asynchronous
  /// factory may block its thread until another one has resolved; one that a plain thread runs may not.
  var mayBlockTaskThread: Bool {
    taskThread != nil || waiting.contains { $0.isAwaited || $0.taskThread != nil }
  }

  /// The threads with tasks that the wait blocks: its own, and those of the factories that wait for it.
  var blockedTaskThreads: [TaskThread] {
    [taskThread].compactMap { $0 } + waiting.compactMap { $0.isAwaited ? nil : $0.taskThread }
  }

  /// The asynchronous construction that waits for it, if any. Its thread is not known.
  var asynchronousWaiter: ResolutionContext? { waiting.first(where: \.isAwaited) }

  /// The constructions among these.
  var constructions: some Sequence<Construction> {
    waiting.lazy.compactMap(\.asConstruction)
  }

  /// Enters the wait into the graph.
  func begin(for target: Construction, _ waiter: Waiter) {
    self.waiter = waiter
    self.target = target
    isInsideTarget = hasBegun(target) || innermost.contains { $0.hasBegun(inside: target) }
    target.links.waiters[ObjectIdentifier(self)] = self
    for construction in constructions { construction.links.waits[ObjectIdentifier(self)] = self }
    for context in disposals { context.add(self) }
  }

  /// Whether the waiting resolve has begun `construction`.
  func hasBegun(_ construction: Construction) -> Bool { begun === construction }

  /// The outcome when the construction has failed.
  ///
  /// A resolve that is a part of the construction shares its failure. Waiters older than the attempt share it too, if the
  /// attempt ran in its own task: otherwise each would start another attempt in turn. A thread builds within its own
  /// resolve, which may be what has failed. A cancelled construction never reaches this function.
  func outcome(afterFailure error: ResolutionError, of construction: Construction) -> Outcome {
    if isInsideTarget { return .failed(error) }
    // A construction that has had to give up says nothing about the next one.
    guard isResolve, construction.isAsynchronous, !error.isAbandonment else { return .retry }
    return hasSeenFailure ? .failed(error) : .retryOnce
  }

  /// Takes the wait out of the graph. Called by ``WaitForGraphChanges/end(_:_:)``, which holds it and its target.
  func end(_ outcome: Outcome) {
    self.outcome = outcome
    target?.links.waiters[ObjectIdentifier(self)] = nil
    for construction in constructions { construction.links.waits[ObjectIdentifier(self)] = nil }
    for context in disposals { context.remove(self) }
    target = nil
  }

  /// Leaves out the contexts that do not wait for the resolve any more: their own work is done by now, or that of one
  /// in between.
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
  /// This may outlive what the waiter does with the instance.
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

/// The constructions that one resolve has begun or waited for before it retries.
struct EarlierAttempts {
  /// The construction that it has begun, if any.
  private(set) var begun: Construction?
  /// Whether it has waited for a construction that failed: the next one begins after it.
  var hasSeenFailure = false
  /// Whether a task resolves, whose thread must not be blocked. It goes on itself at ``located``.
  var isInTask = false
  /// Whether it has taken a step: the cells are looked at first, and once.
  var isUnderWay = false
  /// Where the instance is, or the resolution that has begun with a construction in vain.
  var located: InstanceLocation?

  /// Notes that the resolve begins a construction, or has begun it.
  mutating func begin(_ construction: Construction) {
    if let begun, begun !== construction { construction.follow(begun) }
    begun = construction
    located?.isBegun = true
  }
}
