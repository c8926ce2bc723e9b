// SPDX-License-Identifier: MIT

/// The end of a service.
struct ServiceEnd: Sendable {
  enum Cause: Sendable {
    case requested, cancelled
    /// The start has failed, or the function that waits for the request.
    case failed(any Error)
  }

  let cause: Cause
  /// Whether the service had started by the end.
  let hasStarted: Bool

  /// The error that `run()` throws.
  var error: (any Error)? {
    if case .failed(let error) = cause { error } else { nil }
  }

  /// Starts a service, and waits for its end.
  ///
  /// - Parameters:
  ///   - start: runs first; `nil` if the service has started.
  ///   - isRequested: returns when the service is to end.
  static func wait(
    starting start: (@Sendable () async throws -> Void)?,
    until isRequested: @escaping @Sendable () async throws -> Void
  ) async -> ServiceEnd {
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    // No child tasks: the service would wait for a child task that ignores its cancellation.
    let starting = start.map { start in
      Task {
        do {
          try await start()
          continuation.yield(.started)
        } catch { continuation.yield(.ended(.failed(error))) }
      }
    }
    let waiting = Task {
      do {
        try await isRequested()
        continuation.yield(.ended(.requested))
      } catch {
        continuation.yield(.ended(error is CancellationError ? .cancelled : .failed(error)))
      }
    }
    defer {
      starting?.cancel()
      waiting.cancel()
    }
    var hasStarted = start == nil
    // A cancellation ends the loop.
    for await event in events {
      switch event {
      case .started: hasStarted = true
      case .ended(let cause): return ServiceEnd(cause: cause, hasStarted: hasStarted)
      }
    }
    return ServiceEnd(cause: .cancelled, hasStarted: hasStarted)
  }

  private enum Event {
    case started
    case ended(Cause)
  }
}
