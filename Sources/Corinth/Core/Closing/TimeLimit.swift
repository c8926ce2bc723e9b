// SPDX-License-Identifier: MIT

internal import Synchronization

/// Runs `operation` and stops waiting for it after some time. It is then cancelled, and left to itself.
nonisolated(nonsending)
  func withTimeLimit(
    _ limit: Duration?, _ operation: @escaping @Sendable () async throws -> Void
  ) async -> Result<Void, any Error>
{
  guard let limit else {
    do { return .success(try await operation()) } catch { return .failure(error) }
  }
  return await withCheckedContinuation { continuation in
    let first = FirstOutcome(continuation)
    let work = Task {
      do { first.report(.success(try await operation())) } catch { first.report(.failure(error)) }
    }
    let alarm = Task {
      guard (try? await Task.sleep(for: limit, clock: .continuous)) != nil else { return }
      first.report(.failure(TimeLimitExceeded(limit: limit)))
      work.cancel()
    }
    Task {
      _ = await work.value
      alarm.cancel()
    }
  }
}

/// Passes on the first of several outcomes.
private final class FirstOutcome: Sendable {
  private let continuation: CheckedContinuation<Result<Void, any Error>, Never>
  private let isReported = Atomic<Bool>(false)

  init(_ continuation: CheckedContinuation<Result<Void, any Error>, Never>) {
    self.continuation = continuation
  }

  func report(_ outcome: sending Result<Void, any Error>) {
    if isReported.exchange(true, ordering: .acquiringAndReleasing) { return }
    continuation.resume(returning: outcome)
  }
}
