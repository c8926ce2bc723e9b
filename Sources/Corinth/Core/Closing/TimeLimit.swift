// SPDX-License-Identifier: MIT

/// Runs `operation` and stops waiting for it after some time. It is then cancelled, and left to itself.
///
/// With a limit, it runs on threads that it may block. The caller goes on at its time as soon as its own executor has a
/// thread for it, whatever blocks those that tasks share.
///
/// - Parameter threads: where it runs.
nonisolated(nonsending)
  func withTimeLimit(
    _ limit: Duration?, on threads: LimitThreads = .work,
    _ operation: @escaping @Sendable () async throws -> Void
  ) async -> Result<Void, any Error>
{
  guard let limit, limit < Alarm.longestTime else {
    do { return .success(try await operation()) } catch { return .failure(error) }
  }
  return await withCheckedContinuation { continuation in
    let timed = TimedOperation(operation, limit: limit, on: threads, reportingTo: continuation)
    let context = ResolutionContext.runningInTask
    let alarm = Alarm.set(after: limit) { timed.timeHasPassed() }
    timed.isRun(
      by: Task(executorPreference: threads) {
        await ResolutionContext.continuing(context) { await timed.run() }
        alarm.cancel()
      })
  }
}

extension TimeLimits {
  /// The executor that the library's own tasks prefer while these hold: their steps go on while all threads that tasks
  /// share are blocked. `nil` without limits, for the threads that tasks share.
  var executor: (any TaskExecutor)? { areNone ? nil : LimitThreads.steps }
}

/// An operation whose first outcome counts: its own or that of its alarm.
private final class TimedOperation: Sendable {
  typealias Operation = @Sendable () async throws -> Void

  private struct State {
    /// Until it begins: the task, which ends a moment after its report, is not to hold the instance.
    var operation: Operation?
    /// Until the outcome is there.
    var task: Task<Void, Never>?
    var isReported = false
    var isLate = false
  }

  private let limit: Duration
  private let threads: LimitThreads
  private let continuation: CheckedContinuation<Result<Void, any Error>, Never>
  private let state: ForkSafeMutex<State>

  init(
    _ operation: @escaping Operation, limit: Duration, on threads: LimitThreads,
    reportingTo continuation: CheckedContinuation<Result<Void, any Error>, Never>
  ) {
    self.limit = limit
    self.threads = threads
    self.continuation = continuation
    state = ForkSafeMutex(State(operation: operation))
  }

  /// Notes the task that runs the operation, to cancel it.
  func isRun(by task: Task<Void, Never>) {
    let isLate = state.withLock { state in
      if !state.isReported { state.task = task }
      return state.isLate
    }
    if isLate { task.cancel() }
  }

  func run() async {
    guard let outcome = await outcome() else { return }
    let isFirst = state.withLock { state in
      defer { state.isReported = true }
      state.task = nil
      return !state.isReported
    }
    if isFirst { continuation.resume(returning: outcome) }
  }

  /// Runs the operation, which is released before its outcome is reported: a caller that goes on finds no instance held.
  ///
  /// - Returns: `nil` if its time has passed, and the operation is omitted.
  private func outcome() async -> Result<Void, any Error>? {
    let operation = state.withLock { state in
      defer { state.operation = nil }
      return state.operation
    }
    guard let operation else { return nil }
    do { return .success(try await operation()) } catch { return .failure(error) }
  }

  /// Reports that, and cancels the operation. One that has no thread yet, since all are blocked, is omitted.
  func timeHasPassed() {
    let isFull = threads.isFull
    let (isFirst, omitted, task) = state.withLock { state in
      defer {
        if isFull { state.operation = nil }
        state.task = nil
        (state.isReported, state.isLate) = (true, true)
      }
      return (!state.isReported, isFull ? state.operation : nil, state.task)
    }
    if !isFirst { return }
    continuation.resume(
      returning: .failure(
        TimeLimitExceeded(
          limit: limit, wasBegun: omitted == nil,
          blockedThreads: omitted == nil ? nil : LimitThreads.bound)))
    // Both may run code of the user's, which is not to block the alarm: handlers of cancellations, and deinits.
    LimitThreads.cancellations.run {
      task?.cancel()
      withExtendedLifetime(omitted) {}
    }
  }
}
