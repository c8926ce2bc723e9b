// SPDX-License-Identifier: MIT

/// The work in one tracked scope, and what is known to those who may end the scope from outside.
///
/// The work ends the scope itself, unless others take that over: both decide under one mutex. Work that has ended by then
/// keeps the right to end its scope.
@safe
struct ScopeWork {
  /// The task that runs it, until it ends: not freed while somebody cancels it.
  fileprivate var task: UnsafeCurrentTask?
  fileprivate var hasBegun = false
  fileprivate var isCancelled = false
  /// How many others are cancelling it.
  fileprivate var cancellers = 0
  fileprivate(set) var isTakenOver = false
  fileprivate(set) var hasEnded = false

  fileprivate var isRunning: Bool { unsafe task != nil }

  /// Whether the work has ended. A scope without work may be taken over at any time.
  fileprivate var isOver: Bool { hasBegun && !isRunning }
}

/// An event of a tracked scope that a task waits for.
enum ScopeEvent {
  case endOfWork, endOfScope, endOfCancellation

  fileprivate func hasCome(_ work: ScopeWork) -> Bool {
    switch self {
    case .endOfWork: !work.isRunning || work.hasEnded
    case .endOfScope: work.hasEnded
    case .endOfCancellation: work.cancellers == 0
    }
  }
}

extension TrackedScope {
  // MARK: - The work

  /// Notes the task that runs the work, which is the calling one.
  func beginWork() {
    unsafe withUnsafeCurrentTask { task in
      let isCancelled = WaitsMutex.withLock {
        work.hasBegun = true
        unsafe work.task = task
        return work.isCancelled
      }
      if isCancelled { unsafe task?.cancel() }
    }
  }

  /// The work has ended. Its task lives on until nobody cancels it any more.
  nonisolated(nonsending)
    func endWork() async
  {
    change { unsafe $0.task = nil }
    await wait(for: .endOfCancellation)
  }

  // MARK: - Others

  /// Cancels the work, now or when it begins. Its handlers of that run on threads that they may block.
  ///
  /// - Returns: whether it runs.
  func cancelWork() -> Bool {
    let task = unsafe WaitsMutex.withLock { () -> UnsafeCurrentTask? in
      if work.isCancelled { return nil }
      work.isCancelled = true
      if work.isRunning { work.cancellers += 1 }
      return unsafe work.task
    }
    guard let task = unsafe task else { return WaitsMutex.withLock { work.isRunning } }
    // SAFETY: its task waits for the end of this, and others than the task itself may cancel it.
    unsafe cancel(task)
    return true
  }

  private func cancel(_ task: UnsafeCurrentTask) {
    // SAFETY: the caller has counted itself among the cancellers, which the task waits for before it ends.
    nonisolated(unsafe) let task = unsafe task
    LimitThreads.cancellations.run { [self] in
      unsafe task.cancel()
      change { $0.cancellers -= 1 }
    }
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

  /// Changes what is known of the work, and lets those go on who have waited for it.
  private func change(_ body: (inout ScopeWork) -> Void) {
    let ended = WaitsMutex.withLock {
      body(&work)
      return ScopeWaits.takeAssumingWaitsLockHeld { $0.scope === self && $0.event.hasCome(work) }
    }
    for wait in ended { wait.continuation.resume(returning: ()) }
  }
}

/// The callers that wait for something in a tracked scope: a list for the process, as hardly any scope ever has such callers.
private enum ScopeWaits {
  struct Wait {
    let scope: TrackedScope
    let event: ScopeEvent
    let continuation: CheckedContinuation<Void, Never>
  }

  // SAFETY: only touched with the mutex of the wait-for graph held, or in a child process just forked, which has
  // one thread.
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
