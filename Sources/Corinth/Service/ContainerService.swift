// SPDX-License-Identifier: MIT

/// Keeps a container for as long as its process is to run, then drains it and shuts it down.
///
/// ```swift
/// let service = ContainerService(container, draining: .seconds(20))
/// async let server: Void = serve(requests, with: container)
/// try await service.run()  // Returns when SIGTERM or SIGINT has come, and all has been disposed of.
/// ```
///
/// It has the form of swift-service-lifecycle's `Service`, and becomes one by a line of yours: see <doc:RunningAService>.
///
/// ## Concurrency
/// Safe to use from any thread or task. No thread is blocked.
public struct ContainerService: Sendable {
  /// What the shutdown waits for, and how long.
  private let draining: Duration?
  private let timeLimit: Duration
  private let totalTimeLimit: Duration?
  private let container: Container
  private let shutdownRequests: @Sendable () async -> ShutdownRequests

  private init(
    _ container: Container, _ draining: Duration?, _ timeLimit: Duration,
    _ totalTimeLimit: Duration?,
    _ shutdownRequests: @escaping @Sendable () async -> ShutdownRequests
  ) {
    self.container = container
    self.draining = draining
    self.timeLimit = timeLimit
    self.totalTimeLimit = totalTimeLimit
    self.shutdownRequests = shutdownRequests
  }

  /// A service that ends at a signal, or when the task that runs it is cancelled.
  ///
  /// A second signal ends the draining at once. The process does not get the signals itself from `run()` on.
  ///
  /// - Parameters:
  ///   - container: what is shut down at the end.
  ///   - draining: the longest time to wait for open request scopes; `nil` neither refuses new ones nor waits.
  ///   - timeLimit: the longest time for each disposer.
  ///   - totalTimeLimit: the longest time for all of these together; `nil` for none.
  ///   - signals: those that end it.
  public init(
    _ container: Container, draining: Duration? = .seconds(20), timeLimit: Duration = .seconds(30),
    totalTimeLimit: Duration? = nil, signals: Set<ShutdownSignal> = [.terminate, .interrupt]
  ) {
    self.init(container, draining, timeLimit, totalTimeLimit) {
      let stream = await ShutdownSignal.receive(signals)
      return ShutdownRequests(
        first: { for await _ in stream { break } },
        second: {
          for await _ in stream { return true }
          return false
        })
    }
  }

  /// A service that ends when a function of yours returns, or when the task that runs it is cancelled. It leaves signals
  /// alone.
  ///
  /// ```swift
  /// let service = ContainerService(container) { try await gracefulShutdown() }
  /// ```
  ///
  /// - Parameters:
  ///   - container: what is shut down at the end.
  ///   - draining: the longest time to wait for open request scopes; `nil` neither refuses new ones nor waits.
  ///   - timeLimit: the longest time for each disposer.
  ///   - totalTimeLimit: the longest time for all of these together; `nil` for none.
  ///   - shutdownIsRequested: returns when the service is to end. It should throw or return when its task is cancelled.
  public init(
    _ container: Container, draining: Duration? = .seconds(20), timeLimit: Duration = .seconds(30),
    totalTimeLimit: Duration? = nil,
    until shutdownIsRequested: @escaping @Sendable () async throws -> Void
  ) {
    self.init(container, draining, timeLimit, totalTimeLimit) {
      ShutdownRequests(first: shutdownIsRequested, second: nil)
    }
  }

  /// Waits until the service is to end, and shuts the container down:
  /// ``Container/shutdown(draining:timeLimit:totalTimeLimit:)``. Run it once.
  ///
  /// - Throws: ``CloseError``, if the shutdown fails; the error of the function that the service was made with, unless that
  ///   is a `CancellationError`; ``ScopeError`` for both.
  public func run() async throws {
    let requests = await shutdownRequests()
    var failure: (any Error)?
    do { try await requests.first() } catch { failure = error is CancellationError ? nil : error }
    do { try await shutDown(orAtOnceAt: requests.second) } catch let closeError as CloseError {
      guard let failure else { throw closeError }
      throw ScopeError(error: failure, closeError: closeError)
    }
    if let failure { throw failure }
  }

  private func shutDown(orAtOnceAt secondRequest: (@Sendable () async -> Bool)?) async throws {
    let impatience = secondRequest.map { secondRequest in
      Task {
        guard await secondRequest() else { return }
        // It ends the draining of the other call, which reports what fails.
        try? await container.shutdown(timeLimit: timeLimit, totalTimeLimit: totalTimeLimit)
      }
    }
    defer { impatience?.cancel() }
    try await container.shutdown(
      draining: draining, timeLimit: timeLimit, totalTimeLimit: totalTimeLimit)
  }
}

/// How a service learns that it is to end.
private struct ShutdownRequests: Sendable {
  let first: @Sendable () async throws -> Void
  /// Returns whether the service is to end at once; `false` when there will be no more requests.
  let second: (@Sendable () async -> Bool)?
}
