// SPDX-License-Identifier: MIT

/// Runs `operation`, which after some time is cancelled, no longer awaited, and left alone.
///
/// With a limit, the operation runs on threads that it may block. The caller goes on in time, as
/// soon as the caller's executor has a thread, whatever blocks the threads shared by tasks.
///
/// - Parameter threads: the threads for the operation.
@inline(never)
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
  /// The executor preferred by the library's own tasks under limits: their steps go on while all
  /// threads shared by tasks are blocked. `nil` without limits, for the shared threads.
  var executor: (any TaskExecutor)? { areNone ? nil : LimitThreads.steps }
}

/// An operation whose first outcome counts: the operation's or the alarm's.
private final class TimedOperation: Sendable {
  typealias Operation = @Sendable () async throws -> Void

  private struct State {
    /// Until the beginning: the task ends after the report, and must not hold the instance.
    var operation: Operation?
    /// Until the outcome is known.
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

  /// Notes the task that runs the operation, for a cancellation.
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

  /// Runs the operation, released before the report: a caller that goes on finds no instance held.
  ///
  /// - Returns: `nil` if the time has passed, and the operation is omitted.
  private func outcome() async -> Result<Void, any Error>? {
    let operation = state.withLock { state in
      defer { state.operation = nil }
      return state.operation
    }
    guard let operation else { return nil }
    do { return .success(try await operation()) } catch { return .failure(error) }
  }

  /// Reports the timeout, and cancels the operation. An operation without a thread yet, since all
  /// threads are blocked, is omitted.
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
    // Cancellation handlers and deinits may run user code, which must not block the alarm.
    LimitThreads.cancellations.run {
      task?.cancel()
      withExtendedLifetime(omitted) {}
    }
  }
}
