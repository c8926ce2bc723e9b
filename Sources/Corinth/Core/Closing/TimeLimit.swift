// SPDX-License-Identifier: MIT

internal import Synchronization

/// Runs `operation` and stops waiting for it after some time. It is then cancelled, and left to itself.
nonisolated(nonsending)
  func withTimeLimit(
    _ limit: Duration?, _ operation: @escaping @Sendable () async throws -> Void
  ) async -> Result<Void, any Error>
{
  guard let limit, limit < .longestTimeLimit else {
    do { return .success(try await operation()) } catch { return .failure(error) }
  }
  return await withCheckedContinuation { continuation in
    let timed = TimedOperation(operation, reportingTo: continuation)
    let context = ResolutionContext.runningInTask
    let work = Task { await ResolutionContext.continuing(context) { await timed.run() } }
    let alarm = Task {
      guard (try? await Task.sleep(for: limit, clock: .continuous)) != nil else { return }
      timed.report(.failure(TimeLimitExceeded(limit: limit, wasBegun: true)))
      work.cancel()
    }
    Task {
      _ = await work.value
      alarm.cancel()
    }
  }
}

extension Duration {
  /// A hundred years. What is longer is no limit: a task cannot sleep for a time that is near the greatest one, and a
  /// cancelled sleep takes memory until its time has passed.
  fileprivate static var longestTimeLimit: Duration { .seconds(3_155_760_000) }
}

/// An operation whose first outcome counts: its own or that of its alarm.
private final class TimedOperation: Sendable {
  typealias Operation = @Sendable () async throws -> Void

  private let operation: Mutex<Operation?>
  private let continuation: CheckedContinuation<Result<Void, any Error>, Never>
  private let isReported = Atomic<Bool>(false)

  init(
    _ operation: @escaping Operation,
    reportingTo continuation: CheckedContinuation<Result<Void, any Error>, Never>
  ) {
    self.operation = Mutex(operation)
    self.continuation = continuation
  }

  func run() async {
    report(await outcome())
  }

  /// Takes the operation: its task, which ends a moment after its report, is not to hold the instance.
  private func outcome() async -> Result<Void, any Error> {
    let taken = operation.withLock { operation in
      defer { operation = nil }
      return operation
    }
    guard let taken else { preconditionFailure("TimedOperation.run: must be called once") }
    do { return .success(try await taken()) } catch { return .failure(error) }
  }

  func report(_ outcome: sending Result<Void, any Error>) {
    if isReported.exchange(true, ordering: .acquiringAndReleasing) { return }
    continuation.resume(returning: outcome)
  }
}
