// SPDX-License-Identifier: MIT

extension ContainerService {
  /// Drains the container, and shuts it down.
  ///
  /// - Parameters:
  ///   - end: the end of the service.
  ///   - prepare: called before the draining, if the service has started.
  ///   - signals: the first signal ends the preparation and the draining.
  ///   - lastResort: notified when the shutdown begins, and the draining.
  /// - Returns: the errors of `end` and of the shutdown.
  func shutDown(
    at end: ServiceEnd, preparing prepare: (@Sendable () async -> Void)?,
    orAtOnceAt signals: AsyncDropFirstSequence<AsyncStream<Void>>?, orBy lastResort: LastResort?
  ) async -> (any Error)? {
    lastResort?.shutdownBegins()
    let budget = Budget(timeLimits)
    let preparation = end.hasStarted ? prepare.map { DrainPreparation($0) } : nil
    let shutdownAtSignal = signals.map { signals in
      Task {
        for await _ in signals {
          preparation?.cancel()
          return await errorOfShutdown(draining: nil, within: budget)
        }
        return nil
      }
    }
    await preparation?.wait()
    lastResort?.drainingBegins()
    let ownError = await errorOfShutdown(draining: draining, within: budget)
    shutdownAtSignal?.cancel()
    let closeError = CloseError.joining(ownError, await shutdownAtSignal?.value ?? nil)
    guard let error = end.error else { return closeError }
    return closeError.map { CloseError.workFailed(error: error, closeError: $0) } ?? error
  }

  private func errorOfShutdown(draining: Duration?, within budget: Budget) async -> CloseError? {
    do throws(CloseError) {
      try await container.registry.shutDown(draining: draining, closingScopesAfter: workLimit) {
        budget.begin()
      }
      return nil
    } catch { return error }
  }
}

/// The time that the shutdown and the one at the second signal have together, from the first one's
/// draining on.
private final class Budget: Sendable {
  private let limits: ForkSafeMutex<TimeLimits>

  init(_ limits: TimeLimits) {
    self.limits = ForkSafeMutex(limits)
  }

  func begin() -> TimeLimits {
    limits.withLock { limits in
      limits = limits.begun()
      return limits
    }
  }
}

/// The preparation of a service before the draining. A cancellation of the service does not affect
/// the preparation.
private struct DrainPreparation {
  private let task: Task<Void, Never>
  private let end = AsyncStream.makeStream(of: Never.self)

  init(_ prepare: @escaping @Sendable () async -> Void) {
    task = Task { [end] in
      await prepare()
      end.continuation.finish()
    }
  }

  /// Cancels the preparation. The service does not wait for a preparation that continues
  /// nevertheless.
  func cancel() {
    task.cancel()
    end.continuation.finish()
  }

  func wait() async {
    // The wait runs in a task of its own, which is not cancelled with the service.
    await Task { for await _ in end.stream {} }.value
  }
}
