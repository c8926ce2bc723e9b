// SPDX-License-Identifier: MIT

/// The work in a tracked scope, and the facts for outsiders who may end the scope.
///
/// The work ends the scope itself, unless an outsider takes the end over: a mutex orders the two
/// decisions. Work that has ended by then keeps the right to end its scope.
@safe
struct ScopeWork {
  private enum State {
    /// A scope that `makeScope` has made has no work, and may be taken over at any time.
    case none
    /// The task to run the work waits for a thread, or for the caller's actor.
    case coming
    case running, over
  }

  private var state = State.none
  /// The task that runs the work, until the end of the work: not freed while being cancelled.
  fileprivate private(set) var task: UnsafeCurrentTask?
  fileprivate var isCancelled = false
  /// How many threads of the process of ``generation`` are cancelling the task.
  private var cancellers = 0
  private var generation = ForkHandlers.generation
  fileprivate(set) var isTakenOver = false
  fileprivate(set) var hasEnded = false

  /// Whether there is work that has not ended.
  fileprivate var isAhead: Bool { state == .coming || state == .running }

  fileprivate var isOver: Bool { state == .over }

  /// Whether threads of this process are cancelling the task. The threads of a process from which
  /// this one was forked do not exist here.
  var isBeingCancelled: Bool { cancellers > 0 && generation == ForkHandlers.generation }

  mutating func beginCancelling() {
    if !isBeingCancelled { (cancellers, generation) = (0, ForkHandlers.generation) }
    cancellers += 1
  }

  mutating func endCancelling() {
    // A handler of the cancellation may have forked the process.
    if isBeingCancelled { cancellers -= 1 }
  }

  fileprivate mutating func expect() { state = .coming }

  fileprivate mutating func begin(in task: UnsafeCurrentTask?) {
    state = .running
    unsafe self.task = task
  }

  fileprivate mutating func end() {
    state = .over
    unsafe task = nil
  }
}

/// An event of a tracked scope that a task waits for.
enum ScopeEvent {
  case endOfWork, endOfScope, endOfCancellation

  fileprivate func hasCome(_ work: ScopeWork) -> Bool {
    switch self {
    case .endOfWork: !work.isAhead || work.hasEnded
    case .endOfScope: work.hasEnded
    case .endOfCancellation: !work.isBeingCancelled
    }
  }
}

extension TrackedScope {
  // MARK: - The work

  /// Announces the work, whose task has not begun: closers give the work its time from here on.
  func expectWork() { change { $0.expect() } }

  /// Notes the calling task as the task that runs the work.
  ///
  /// - Returns: `false` if the scope's end is taken over: the work must not run in a closed scope.
  func beginWork() -> Bool {
    unsafe withUnsafeCurrentTask { task in
      let (isTakenOver, isCancelled) = WaitsMutex.withLock {
        if !work.isTakenOver { unsafe work.begin(in: task) }
        return (work.isTakenOver, work.isCancelled)
      }
      if isCancelled { unsafe task?.cancel() }
      return !isTakenOver
    }
  }

  /// The work has ended. The task lives on until no canceller is left.
  nonisolated(nonsending)
    func endWork() async
  {
    change { $0.end() }
    await wait(for: .endOfCancellation)
  }

  /// Whether the calling task runs the work.
  var isRunByCaller: Bool {
    unsafe withUnsafeCurrentTask { task in
      guard let task = unsafe task else { return false }
      return WaitsMutex.withLock { unsafe !work.isTakenOver && work.task == task }
    }
  }

  // MARK: - Others

  /// Cancels the work, now or when it begins. Cancellation handlers run on threads they may block.
  ///
  /// - Returns: whether there is work that has not ended.
  func cancelWork() -> Bool {
    let (isAhead, isFirst) = WaitsMutex.withLock {
      defer { work.isCancelled = true }
      return unsafe (work.isAhead, work.task != nil && !work.isCancelled)
    }
    if isFirst { LimitThreads.cancellations.run { [self] in cancelTask() } }
    return isAhead
  }

  /// Cancels the task that runs the work. The canceller counts from here on, on the cancelling
  /// thread: if blocked handlers occupy all threads, the end of the work waits for no thread.
  private func cancelTask() {
    let running = unsafe WaitsMutex.withLock { () -> UnsafeCurrentTask? in
      if unsafe work.task != nil { work.beginCancelling() }
      return unsafe work.task
    }
    guard let task = unsafe running else { return }
    // SAFETY: the task waits for the cancellers before it ends; any task may cancel it.
    unsafe task.cancel()
    change { $0.endCancelling() }
  }

  /// Takes the end of the scope over from its work.
  ///
  /// - Returns: `false` if the work has ended, and ends its scope.
  func takeOverAssumingWaitsLockHeld() -> Bool {
    if !work.isOver { work.isTakenOver = true }
    return work.isTakenOver
  }

  /// Whether others have taken over the end of the scope.
  var isTakenOver: Bool { WaitsMutex.withLock { work.isTakenOver } }

  // MARK: - Waiting

  /// Suspends the calling task until something has come to pass. Its cancellation changes nothing.
  nonisolated(nonsending)
    func wait(for event: ScopeEvent) async
  {
    _ = ScopeWaits.isPrepared
    await withCheckedContinuation { continuation in
      let isOver = WaitsMutex.withLock {
        if event.hasCome(work) { return true }
        unsafe ScopeWaits.waits.append(
          ScopeWaits.Wait(scope: self, event: event, continuation: continuation))
        return false
      }
      if isOver { continuation.resume(returning: ()) }
    }
  }

  /// Whether the scope has ended.
  var hasEnded: Bool { WaitsMutex.withLock { work.hasEnded } }

  /// The scope has ended.
  func noteEnd() { change { $0.hasEnded = true } }

  /// Changes the facts about the work, and resumes the waiters for them.
  private func change(_ body: (inout ScopeWork) -> Void) {
    let ended = WaitsMutex.withLock {
      body(&work)
      return ScopeWaits.takeAssumingWaitsLockHeld { $0.scope === self && $0.event.hasCome(work) }
    }
    for wait in ended { wait.continuation.resume(returning: ()) }
  }
}

/// The callers waiting for events of tracked scopes: a process-wide list, as few scopes have any.
private enum ScopeWaits {
  struct Wait {
    let scope: TrackedScope
    let event: ScopeEvent
    let continuation: CheckedContinuation<Void, Never>
  }

  // SAFETY: only touched with the mutex of the wait-for graph held, or in a child process just
  // forked, which has one thread.
  nonisolated(unsafe) static var waits: [Wait] = []

  static func takeAssumingWaitsLockHeld(where isOver: (Wait) -> Bool) -> [Wait] {
    let ended = unsafe waits.filter(isOver)
    if !ended.isEmpty { unsafe waits.removeAll(where: isOver) }
    return ended
  }

  /// In the child of a fork the callers do not exist. Nothing is destroyed, see `WaitForGraph`.
  static let isPrepared: Void = {
    _ = WaitsMutex.withLock { unsafe waits.count }
    ForkHandlers.add {
      unsafe withUnsafeMutablePointer(to: &waits) { unsafe $0.initialize(to: []) }
    }
  }()
}
