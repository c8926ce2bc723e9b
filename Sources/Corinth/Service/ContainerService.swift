// SPDX-License-Identifier: MIT

/// Keeps a container for as long as its process is to run, then drains it and shuts it down.
///
/// ```swift
/// let service = ContainerService(container, draining: .seconds(20))
/// try await service.run(starting: { try await startListening(with: container) })
/// // SIGTERM or SIGINT has come, and all has been disposed of.
/// ```
///
/// It has the form of swift-service-lifecycle's `Service`, and becomes one by a line of yours: see <doc:RunningAService>.
///
/// ## Concurrency
/// Safe to use from any thread or task. No thread is blocked.
public struct ContainerService: Sendable {
  let container: Container
  let draining: Duration?
  let timeLimits: TimeLimits
  /// The longest time for the cancelled work of open scopes, if these are to be closed.
  let workLimit: Duration?
  private let request: ShutdownRequest
  private let lastResort: (@Sendable (_ report: String) -> Void)?

  /// A service that ends at a signal, or when the task that runs it is cancelled.
  ///
  /// A second signal ends the draining at once, and so does the first one after a cancellation. `run()` does not report
  /// scopes that are still open then. Once it has begun, the signals do not end the process any more.
  ///
  /// - Parameters:
  ///   - container: the container that is shut down at the end.
  ///   - draining: the longest time to wait for open request scopes; `nil` neither refuses new ones nor waits.
  ///   - timeLimit: the longest time for each disposer, and for the constructions that are waited for together.
  ///   - totalTimeLimit: the longest time for all of these together; `nil` for none. With the defaults, the shutdown takes
  ///     half a minute at most: process managers often give no more.
  ///   - workLimit: closes the request scopes that are still open after the draining, before all else: their work is cancelled, and
  ///     has this time to end, within the total; see ``OpenScope/close(workLimit:timeLimit:totalTimeLimit:)``. For that,
  ///     ``Container/tracksScopes`` is turned on. `nil` leaves them as they are.
  ///   - lastResort: called in place of the end of the process if no task runs any more when these times have passed, with what
  ///     is still open. It is called on a thread that keeps all limits of time, and must not block it. By default, the report goes
  ///     to the standard error stream, and the process ends by `_exit` with a failure. See <doc:ShuttingDown>.
  ///   - signals: those that end it.
  public init(
    _ container: Container, draining: Duration? = .seconds(20), timeLimit: Duration = .seconds(5),
    totalTimeLimit: Duration? = .seconds(8), closingOpenScopesAfter workLimit: Duration? = nil,
    lastResort: (@Sendable (_ report: String) -> Void)? = nil,
    signals: Set<ShutdownSignal> = [.terminate, .interrupt]
  ) {
    self.container = container
    self.draining = draining
    timeLimits = TimeLimits(each: timeLimit, total: totalTimeLimit)
    self.lastResort = lastResort
    request = .signals(signals)
    self.workLimit = workLimit
    if workLimit != nil { container.tracksScopes = true }
  }

  /// A service that ends when a function of yours returns, or when the task that runs it is cancelled. It does not
  /// handle signals.
  ///
  /// ```swift
  /// let service = ContainerService(container) { try await gracefulShutdown() }
  /// ```
  ///
  /// The task of the function is cancelled when the service ends otherwise. The other parameters are those of a service that
  /// ends at a signal.
  public init(
    _ container: Container, draining: Duration? = .seconds(20), timeLimit: Duration = .seconds(5),
    totalTimeLimit: Duration? = .seconds(8), closingOpenScopesAfter workLimit: Duration? = nil,
    lastResort: (@Sendable (_ report: String) -> Void)? = nil,
    until shutdownIsRequested: @escaping @Sendable () async throws -> Void
  ) {
    self.container = container
    self.draining = draining
    timeLimits = TimeLimits(each: timeLimit, total: totalTimeLimit)
    self.lastResort = lastResort
    request = .function(shutdownIsRequested)
    self.workLimit = workLimit
    if workLimit != nil { container.tracksScopes = true }
  }

  /// Waits until the service is to end, and shuts the container down:
  /// ``Container/shutdown(draining:timeLimit:totalTimeLimit:)``.
  ///
  /// It does not learn of a shutdown that is not its own, and waits on.
  ///
  /// - Throws: ``CloseError``, if the shutdown fails; the error of the function that the service was made with, unless that
  ///   is a `CancellationError`; ``CloseError/workFailed(error:closeError:)`` for both.
  public func run() async throws { try await run(after: nil, beforeDraining: nil) }

  /// Runs the start, waits until the service is to end, then shuts the container down.
  ///
  /// ```swift
  /// try await service.run(starting: {
  ///   try await container.warmUp(validating: true)
  ///   try await container.resolveAsync(Server.self).listen()
  /// })
  /// ```
  ///
  /// **`start` returns when the service listens**: one that serves until the end would be cancelled before the draining.
  ///
  /// Signals are received before `start` is called. One that comes during the start ends the service, as a cancellation does,
  /// and the function that the service was made with, which runs at the same time. The task of `start` is
  /// cancelled, and the container drained and shut down. Resolves of `start` after that throw
  /// ``ResolutionError/containerClosed(_:)``. The shutdown waits for a construction that `start` runs as it does
  /// for others, up to the time limit; it does not wait for `start` itself, so that a start that hangs does not
  /// delay the end. Its error is dropped then.
  ///
  /// The service cannot detect by itself that a server fails later. Make it with a function that does, which is its
  /// last parameter `until`.
  ///
  /// A load balancer keeps sending requests until it is informed that the service ends. Inform it in
  /// `beforeDraining`, and wait:
  ///
  /// ```swift
  /// try await service.run(starting: start, beforeDraining: {
  ///   readiness.turnOff()
  ///   try? await Task.sleep(for: .seconds(5))
  /// })
  /// ```
  ///
  /// - Parameters:
  ///   - start: opens and starts the instances of the container. Called once. If it throws, the container is shut
  ///     down.
  ///   - beforeDraining: called when the service is to end, if `start` has returned by then. The draining begins when this
  ///     has returned. A second signal cancels it, and omits the draining. No limit holds for it: its time is added
  ///     to the others.
  /// - Throws: the error of `start`, if that comes before the service is to end; or else as ``run()``.
  public func run(
    starting start: @escaping @Sendable () async throws -> Void,
    beforeDraining: (@Sendable () async -> Void)? = nil
  ) async throws {
    try await run(after: start, beforeDraining: beforeDraining)
  }

  private func run(
    after start: (@Sendable () async throws -> Void)?,
    beforeDraining: (@Sendable () async -> Void)?
  ) async throws {
    let lastResort = LastResort(
      for: container.registry, draining: draining, total: timeLimits.total, action: lastResort,
      mayPrepare: start == nil && beforeDraining != nil)
    defer { lastResort?.end() }
    let start = start.map { start in
      { @Sendable in
        try await start()
        if beforeDraining != nil { lastResort?.mayPrepare() }
      }
    }
    switch request {
    case .function(let shutdownIsRequested):
      let end = await ServiceEnd.wait(starting: start, until: shutdownIsRequested)
      let error = await shutDown(
        at: end, preparing: beforeDraining, orAtOnceAt: nil, orBy: lastResort)
      if let error { throw error }
    case .signals(let signals):
      let receiver = await SignalCenter.shared.receive(signals, lastResort: lastResort)
      let end = await ServiceEnd.wait(starting: start) {
        for await _ in receiver.first.stream { return }
        throw CancellationError()
      }
      // One that came with a cancellation, or made the start fail, is the first one all the same.
      let received = await SignalCenter.shared.hasPassedSignal(to: receiver) ? 1 : 0
      let error = await shutDown(
        at: end, preparing: beforeDraining,
        orAtOnceAt: receiver.second.stream.dropFirst(received), orBy: lastResort)
      await SignalCenter.shared.remove(receiver)
      if let error { throw error }
    }
  }
}

/// How a service learns that it is to end.
private enum ShutdownRequest: Sendable {
  case signals(Set<ShutdownSignal>)
  case function(@Sendable () async throws -> Void)
}
