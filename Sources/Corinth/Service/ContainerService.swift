// SPDX-License-Identifier: MIT

/// Keeps a container for as long as the process is to run, then drains the container and shuts it
/// down.
///
/// ```swift
/// let service = ContainerService(container, draining: .seconds(20))
/// try await service.run(starting: { try await startListening(with: container) })
/// // SIGTERM or SIGINT has come, and all has been disposed of.
/// ```
///
/// The type has the form of swift-service-lifecycle's `Service`, and conforms by a line of yours:
/// see <doc:RunningAService>.
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

  /// Makes a service that ends at a signal, or when the running task is cancelled.
  ///
  /// A second signal ends the draining at once, and so does the first signal after a cancellation.
  /// `run()` does not report the scopes still open then. Once `run()` has begun, the signals do not
  /// end the process any more.
  ///
  /// - Parameters:
  ///   - container: the container that is shut down at the end.
  ///   - draining: the longest time to wait for open request scopes; `nil` neither refuses new
  ///     scopes nor waits.
  ///   - timeLimit: the longest time for every disposer, and for all awaited constructions
  ///     together.
  ///   - totalTimeLimit: the longest time for all disposers and constructions together; `nil` for
  ///     none. With the defaults, the shutdown takes half a minute at most: process managers often
  ///     give no more.
  ///   - maximumConcurrency: the largest number of instances disposed of side by side, as for
  ///     ``Container/shutdown(draining:timeLimit:totalTimeLimit:maximumConcurrency:file:line:)``.
  ///   - workLimit: the longest time for the cancelled work of request scopes still open after the
  ///     draining. These scopes are closed before all else, within the total limit; see
  ///     ``OpenScope/close(workLimit:timeLimit:totalTimeLimit:)``. A limit turns
  ///     ``Container/tracksScopes`` on. `nil` neither cancels work nor closes scopes. Scopes made
  ///     below a child container are waited for, but closed by the caller that ends the child: in
  ///     `beforeDraining`, before the singletons that the scopes use.
  ///   - lastResort: called in place of the end of the process if no task runs any more when the
  ///     time limits have passed, with a report of everything still open. The function is called on
  ///     a thread that keeps all time limits, and must not block the thread. By default, the report
  ///     goes to the standard error stream, and the process ends by `_exit` with a failure. See
  ///     <doc:ShuttingDown>.
  ///   - signals: the signals that end the service.
  public init(
    _ container: Container, draining: Duration? = .seconds(20), timeLimit: Duration = .seconds(5),
    totalTimeLimit: Duration? = .seconds(8), maximumConcurrency: Int = 1,
    closingOpenScopesAfter workLimit: Duration? = nil,
    lastResort: (@Sendable (_ report: String) -> Void)? = nil,
    signals: Set<ShutdownSignal> = [.terminate, .interrupt]
  ) {
    self.container = container
    self.draining = draining
    precondition(
      maximumConcurrency > 0,
      "ContainerService: maximumConcurrency is \(maximumConcurrency), and must be at least 1")
    timeLimits = TimeLimits(
      each: timeLimit, total: totalTimeLimit, maximumConcurrency: maximumConcurrency)
    self.lastResort = lastResort
    request = .signals(signals)
    self.workLimit = workLimit
    if workLimit != nil { container.tracksScopes = true }
  }

  /// Makes a service that ends when a function of yours returns, or when the running task is
  /// cancelled. The service does not handle signals.
  ///
  /// ```swift
  /// let service = ContainerService(container) { try await gracefulShutdown() }
  /// ```
  ///
  /// The task of the function is cancelled when the service ends for another reason. The remaining
  /// parameters work as for a service that ends at a signal.
  public init(
    _ container: Container, draining: Duration? = .seconds(20), timeLimit: Duration = .seconds(5),
    totalTimeLimit: Duration? = .seconds(8), maximumConcurrency: Int = 1,
    closingOpenScopesAfter workLimit: Duration? = nil,
    lastResort: (@Sendable (_ report: String) -> Void)? = nil,
    until shutdownIsRequested: @escaping @Sendable () async throws -> Void
  ) {
    self.container = container
    self.draining = draining
    precondition(
      maximumConcurrency > 0,
      "ContainerService: maximumConcurrency is \(maximumConcurrency), and must be at least 1")
    timeLimits = TimeLimits(
      each: timeLimit, total: totalTimeLimit, maximumConcurrency: maximumConcurrency)
    self.lastResort = lastResort
    request = .function(shutdownIsRequested)
    self.workLimit = workLimit
    if workLimit != nil { container.tracksScopes = true }
  }

  /// Waits until the service is to end, and shuts the container down:
  /// ``Container/shutdown(draining:timeLimit:totalTimeLimit:maximumConcurrency:file:line:)``.
  ///
  /// The service does not learn of a shutdown by another caller, and waits on.
  ///
  /// - Throws: ``CloseError``, if the shutdown fails; the error of the function given to the
  ///   initializer, unless a `CancellationError`; ``CloseError/workFailed(error:closeError:)`` for
  ///   both.
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
  /// **`start` returns when the service listens**: a `start` that serves until the end would be
  /// cancelled before the draining.
  ///
  /// Signals are received before `start` is called. A signal during the start ends the service, as
  /// do a cancellation and the function given to the initializer, which runs at the same time. The
  /// task of `start` is cancelled, and the container drained and shut down. Resolves of `start`
  /// after the shutdown throw ``ResolutionError/containerClosed(_:)``. The shutdown waits for a
  /// construction that `start` runs like for any other construction, up to the time limit; the
  /// shutdown does not wait for `start` itself, so that a hanging start does not delay the end. The
  /// error of an abandoned `start` is dropped.
  ///
  /// The service cannot detect by itself that a server fails later. Make the service with a
  /// function that detects the failure, the last parameter `until`.
  ///
  /// A load balancer keeps sending requests until informed about the end of the service. Inform the
  /// load balancer in `beforeDraining`, and wait:
  ///
  /// ```swift
  /// try await service.run(starting: start, beforeDraining: {
  ///   readiness.turnOff()
  ///   try? await Task.sleep(for: .seconds(5))
  /// })
  /// ```
  ///
  /// - Parameters:
  ///   - start: opens and starts the instances of the container. Called once. If `start` throws,
  ///     the container is shut down.
  ///   - beforeDraining: called when the service is to end, if `start` has returned by then. The
  ///     draining begins when `beforeDraining` has returned. A second signal cancels
  ///     `beforeDraining`, and omits the draining. No limit holds for `beforeDraining`: the time of
  ///     the call is added to the time limits.
  /// - Throws: the error of `start`, if thrown before the service is to end; or else the errors of
  ///   ``run()``.
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
      // A signal that came with a cancellation, or made the start fail, still counts as the first
      // signal.
      let received = await SignalCenter.shared.hasPassedSignal(to: receiver) ? 1 : 0
      let error = await shutDown(
        at: end, preparing: beforeDraining,
        orAtOnceAt: receiver.second.stream.dropFirst(received), orBy: lastResort)
      await SignalCenter.shared.remove(receiver)
      if let error { throw error }
    }
  }
}

/// The way in which a service learns of the requested end.
private enum ShutdownRequest: Sendable {
  case signals(Set<ShutdownSignal>)
  case function(@Sendable () async throws -> Void)
}
