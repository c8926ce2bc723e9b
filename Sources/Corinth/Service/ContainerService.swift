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
  let shutDown: @Sendable (_ draining: Duration?) async throws -> Void
  let draining: Duration?
  private let request: ShutdownRequest

  private init(
    _ draining: Duration?, _ request: ShutdownRequest,
    _ shutDown: @escaping @Sendable (_ draining: Duration?) async throws -> Void
  ) {
    self.draining = draining
    self.request = request
    self.shutDown = shutDown
  }

  /// A service that ends at a signal, or when the task that runs it is cancelled.
  ///
  /// A second signal ends the draining at once, and so does the first one after a cancellation; scopes that are still open are not reported then. Once `run()` has begun, the
  /// signals do not end the process any more.
  ///
  /// - Parameters:
  ///   - container: what is shut down at the end.
  ///   - draining: the longest time to wait for open request scopes; `nil` neither refuses new ones nor waits.
  ///   - timeLimit: the longest time for each disposer.
  ///   - totalTimeLimit: the longest time for all of these together; `nil` for none. With the defaults, the end takes half
  ///     a minute at most: process managers often give no more.
  ///   - signals: those that end it.
  public init(
    _ container: Container, draining: Duration? = .seconds(20), timeLimit: Duration = .seconds(5),
    totalTimeLimit: Duration? = .seconds(8),
    signals: Set<ShutdownSignal> = [.terminate, .interrupt]
  ) {
    self.init(draining, .signals(signals)) {
      try await container.shutdown(
        draining: $0, timeLimit: timeLimit, totalTimeLimit: totalTimeLimit)
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
    _ container: Container, draining: Duration? = .seconds(20), timeLimit: Duration = .seconds(5),
    totalTimeLimit: Duration? = .seconds(8),
    until shutdownIsRequested: @escaping @Sendable () async throws -> Void
  ) {
    self.init(draining, .function(shutdownIsRequested)) {
      try await container.shutdown(
        draining: $0, timeLimit: timeLimit, totalTimeLimit: totalTimeLimit)
    }
  }

  /// ``init(_:draining:timeLimit:totalTimeLimit:signals:)``, for a frozen container.
  public init(
    _ container: FrozenContainer, draining: Duration? = .seconds(20),
    timeLimit: Duration = .seconds(5), totalTimeLimit: Duration? = .seconds(8),
    signals: Set<ShutdownSignal> = [.terminate, .interrupt]
  ) {
    self.init(draining, .signals(signals)) {
      try await container.shutdown(
        draining: $0, timeLimit: timeLimit, totalTimeLimit: totalTimeLimit)
    }
  }

  /// ``init(_:draining:timeLimit:totalTimeLimit:until:)``, for a frozen container.
  public init(
    _ container: FrozenContainer, draining: Duration? = .seconds(20),
    timeLimit: Duration = .seconds(5), totalTimeLimit: Duration? = .seconds(8),
    until shutdownIsRequested: @escaping @Sendable () async throws -> Void
  ) {
    self.init(draining, .function(shutdownIsRequested)) {
      try await container.shutdown(
        draining: $0, timeLimit: timeLimit, totalTimeLimit: totalTimeLimit)
    }
  }

  /// Waits until the service is to end, and shuts the container down:
  /// ``Container/shutdown(draining:timeLimit:totalTimeLimit:)``.
  ///
  /// It does not learn of a shutdown that is not its own, and waits on.
  ///
  /// - Throws: ``CloseError``, if the shutdown fails; the error of the function that the service was made with, unless that
  ///   is a `CancellationError`; ``ScopeError`` for both.
  public func run() async throws { try await run(after: nil, beforeDraining: {}) }

  /// Starts what is to run, waits until the service is to end, and shuts the container down.
  ///
  /// ```swift
  /// try await service.run(starting: {
  ///   try await container.warmUp(validating: true)
  ///   try await container.resolveAsync(Server.self).listen()
  /// })
  /// ```
  ///
  /// Signals are received before `start` is called. One that comes during the start ends the service: the task of `start` is
  /// cancelled, and the container shut down at once. What `start` resolves after that throws
  /// ``ResolutionError/containerClosed(_:)``; it is not waited for, so that one that hangs does not hold up the end.
  ///
  /// A load balancer goes on sending requests until it learns that the service ends. Tell it in `beforeDraining`, and wait:
  ///
  /// ```swift
  /// try await service.run(starting: start, beforeDraining: {
  ///   readiness.turnOff()
  ///   try? await Task.sleep(for: .seconds(5))
  /// })
  /// ```
  ///
  /// - Parameters:
  ///   - start: opens and starts what the container keeps. Called once. If it throws, the container is shut down.
  ///   - beforeDraining: called when the service is to end, but not after an error of `start` or of the function that the
  ///     service was made with. The draining begins when it has returned, or at a second signal, which cancels it. No
  ///     limit holds for it.
  /// - Throws: the error of `start`, if that comes before the service is to end; or else as ``run()``.
  public func run(
    starting start: @escaping @Sendable () async throws -> Void,
    beforeDraining: @escaping @Sendable () async -> Void = {}
  ) async throws {
    try await run(after: start, beforeDraining: beforeDraining)
  }

  private func run(
    after start: (@Sendable () async throws -> Void)?,
    beforeDraining: @escaping @Sendable () async -> Void
  ) async throws {
    switch request {
    case .function(let shutdownIsRequested):
      let result = await waiting(after: start) {
        try await shutdownIsRequested()
        return true
      }
      try await end(after: result.map { _ in }, beforeDraining, orAtOnceAt: nil)
    case .signals(let signals):
      let receiver = await SignalCenter.shared.receive(signals)
      let result = await waiting(after: start) {
        for await _ in receiver.first.stream { return true }
        return false
      }
      let seen = (try? result.get()) == true ? 1 : 0
      let ending = await Result.catching {
        try await end(
          after: result.map { _ in }, beforeDraining,
          orAtOnceAt: receiver.second.stream.dropFirst(seen))
      }
      await SignalCenter.shared.remove(receiver)
      try ending.get()
    }
  }
}

/// How a service learns that it is to end.
private enum ShutdownRequest: Sendable {
  case signals(Set<ShutdownSignal>)
  case function(@Sendable () async throws -> Void)
}
