// SPDX-License-Identifier: MIT

extension Container {
  /// Makes a request scope: a child container for temporary use, which stores `.scoped` instances.
  ///
  /// ```swift
  /// let scope = container.makeScope()
  /// let session = try scope.resolve(Session.self)
  /// try await scope.close()
  /// ```
  ///
  /// It holds no table until it has a registration. `withScope` closes it by itself. A scope that is deallocated
  /// without being closed releases its instances, and disposes of none.
  ///
  /// Once ``shutdown(draining:timeLimit:totalTimeLimit:)`` has begun to drain this container or an ancestor, each
  /// resolve from a new scope throws ``ResolutionError/scopeRefused(_:)``. `withScope` throws before the work begins.
  ///
  /// It keeps this container alive. A weak or unowned reference to that, made while the scope was already there, may end
  /// before, with the last strong one: ``Container/parent`` is then another object that stands for the same container.
  ///
  /// ``onDroppedUndisposed`` names the place of the call, `file` and `line`.
  ///
  /// - Parameters:
  ///   - name: the name under which ``Scope/scoped(in:)`` finds the scope; `nil` for none. A scope within it may have the
  ///     same one.
  ///   - file: where the call is, for messages.
  ///   - line: the line of the call.
  /// - Complexity: O(*n*) in the number of ancestors.
  ///
  /// Lock-free.
  public func makeScope(
    named name: Name? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> Container {
    makeScope(named: name, at: SourceLocation(file: file, line: line))
  }

  @usableFromInline
  func makeScope(named name: Name?, at location: SourceLocation) -> Container {
    let scope = Container(
      fingerprintBits: 64, parent: self, isScope: true, scopeLocation: location,
      defaultScope: defaultScope)
    if let name { scope.registry.setScopeName(name) }
    return scope
  }

  /// Runs `body` with a request scope, and closes it. For synchronous code.
  ///
  /// ```swift
  /// try container.syncWithScope { scope in try scope.resolve(Handler.self).handle(request) }
  /// ```
  ///
  /// Throws as ``withScope(named:timeLimit:file:line:_:)``. If an instance of the scope has an asynchronous disposer, this throws
  /// ``CloseError/asyncCloseRequired(_:)`` or ``CloseError/asyncCloseUnderWay``, and a task of its own closes the
  /// scope. No time limit holds for its disposers then, and their errors are not reported.
  ///
  /// - Parameters:
  ///   - name: the name of the scope, as that of ``makeScope(named:file:line:)``.
  ///   - file: the file that is named as the place where the scope was made; the caller's when left out.
  ///   - line: the line of it; the caller's when left out.
  ///   - body: the work, which gets the scope.
  @available(*, noasync, message: "In asynchronous code, await withScope.")
  public func syncWithScope<Result>(
    named name: Name? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ body: (Container) throws -> Result
  ) throws -> Result {
    try run(body, in: makeScope(named: name, file: file, line: line))
  }

  /// Runs `body` with a scope that has just been made, and closes it.
  @usableFromInline
  func run<Result>(_ body: (Container) throws -> Result, in scope: Container) throws -> Result {
    try scope.refuseIfDraining()
    return try scope.closing(after: { try body(scope) })
  }

  /// Runs `body`, and closes this container after it.
  func closing<Result>(after body: () throws -> Result) throws -> Result {
    let result: Result
    do { result = try body() } catch {
      do throws(CloseError) {
        try closeOrHandOver(after: ScopeOutcome(after: error))
      } catch let closeError {
        throw CloseError.workFailed(error: error, closeError: closeError)
      }
      throw error
    }
    try closeOrHandOver(after: .completed)
    return result
  }

  /// Closes a container to which its maker has given no caller a lasting reference.
  private func closeOrHandOver(after outcome: ScopeOutcome) throws(CloseError) {
    do throws(CloseError) { try registry.close(outcome: outcome) } catch {
      if case .asyncCloseRequired = error { Task { try? await close(after: outcome) } }
      throw error
    }
  }

  /// Runs `body` with a request scope, and closes it. The caller stays on its actor.
  ///
  /// ```swift
  /// try await container.withScope { scope in
  ///   try await scope.resolveAsync(Handler.self).handle(request)
  /// }
  /// ```
  ///
  /// The scope is closed also when the task has been cancelled.
  ///
  /// - Parameters:
  ///   - name: the name of the scope, as that of ``makeScope(named:file:line:)``.
  ///   - timeLimit: the longest time for each disposer of the scope, as that of ``close(after:timeLimit:)``; `nil`
  ///     for none. The time of `body` is not limited.
  ///   - file: where the call is, for messages.
  ///   - line: the line of the call.
  ///   - body: the work, which gets the scope.
  /// - Throws: the error of `body`, or else ``CloseError``; ``CloseError/workFailed(error:closeError:)`` if both fail;
  ///   ``ResolutionError/scopeRefused(_:)`` if the container opens no scopes any more, `body` has then not run.
  nonisolated(nonsending)
    public func withScope<Result>(
      named name: Name? = nil, timeLimit: Duration? = nil,
      file: StaticString = #fileID, line: UInt = #line,
      _ body: nonisolated(nonsending) (Container) async throws -> Result
    ) async throws -> Result
  {
    try await run(body, in: makeScope(named: name, file: file, line: line), timeLimit: timeLimit)
  }

  /// Runs `body` with a scope that has just been made, and closes it.
  @usableFromInline @inline(__always)
  nonisolated(nonsending)
    func run<Result>(
      _ body: nonisolated(nonsending) (Container) async throws -> Result, in scope: Container,
      timeLimit: Duration?
    ) async throws -> Result
  {
    guard scope.registry.admission == .plain, !scope.isBelowClosed else {
      return try await scope.runTracked(body, as: try scope.trackedScope, timeLimit: timeLimit)
    }
    return try await scope.ending(after: body) { core, outcome throws(CloseError) in
      if core.sealForDisposal() {
        try await core.dispose(outcome: outcome, timeLimits: TimeLimits(each: timeLimit))
      }
    }
  }

  /// Runs `body` as work that others can cancel. Out of line, to keep scopes short that are not tracked.
  @inline(never)
  nonisolated(nonsending)
    private func runTracked<Result>(
      _ body: nonisolated(nonsending) (Container) async throws -> Result, as tracked: TrackedScope,
      timeLimit: Duration?
    ) async throws -> Result
  {
    try await ending(
      after: { scope in try await tracked.run(body, with: scope) },
      by: { core, outcome throws(CloseError) in
        try await core.close(outcome: outcome, timeLimits: TimeLimits(each: timeLimit))
      })
  }

  /// Runs `body` with this container, and ends the container after it. Inlined: each function that awaits another one takes
  /// memory of the task for it.
  @inline(__always)
  nonisolated(nonsending)
    func ending<Result>(
      after body: nonisolated(nonsending) (Container) async throws -> Result,
      by end: nonisolated(nonsending) (ContainerCore, ScopeOutcome) async throws(CloseError) -> Void
    ) async throws -> Result
  {
    var isWorkDone = false
    do {
      // Returned from where it is declared, the result is written to its place at once: in generic code it has no size, and
      // another place is taken from the task's memory.
      let result = try await body(self)
      isWorkDone = true
      try await end(registry, .completed)
      return result
    } catch let bodyError where !isWorkDone {
      do throws(CloseError) {
        try await end(registry, ScopeOutcome(after: bodyError))
      } catch {
        throw CloseError.workFailed(error: bodyError, closeError: error)
      }
      throw bodyError
    }
  }

  private func refuseIfDraining() throws(ResolutionError) {
    if registry.isRefused || isBelowClosed { throw scopeRefused }
  }

  private var isBelowClosed: Bool { registry.parent?.isClosed == true }

  private var scopeRefused: ResolutionError {
    .scopeRefused(.init(refusing: RegistrationKey(product: Container.self), .scope))
  }

  /// This new scope as one that is tracked. A scope that is not has been refused.
  private var trackedScope: TrackedScope {
    get throws(ResolutionError) {
      try refuseIfDraining()
      guard let tracked = registry.trackedScope else { throw scopeRefused }
      return tracked
    }
  }

  /// Whether the container has been closed or shut down.
  public var isClosed: Bool { registry.isClosed }

  /// Closes a request scope, for synchronous code: disposes of its instances in the reverse order of their completion,
  /// and releases them.
  ///
  /// From then on, resolving from the scope throws ``ResolutionError/containerClosed(_:)``. Every disposer runs,
  /// also when another one throws. Constructions under way are waited for.
  ///
  /// Closing again does nothing; it waits for the closing under way, synchronous or not. A call that the closing itself
  /// waits for returns at once: one in a disposer, in a factory whose instance is waited for, or in a task that these
  /// have made.
  ///
  /// - Parameter outcome: how the work in the scope has ended, for its disposers.
  /// - Throws: ``CloseError/asyncCloseRequired(_:)``, the scope is then still open;
  ///   ``CloseError/asyncCloseUnderWay``, a task is closing it; ``CloseError/disposalFailed(_:)``.
  /// - Complexity: O(*n* log *n*) in the number of instances to dispose of.
  ///
  /// Lock-free for a scope that has neither disposers nor registrations of its own. Waits for constructions under way
  /// in the scope, and for another thread that is closing it.
  @available(*, noasync, message: "In asynchronous code, await close.")
  public func syncClose(after outcome: ScopeOutcome = .completed) throws {
    try registry.close(outcome: outcome)
  }

  /// Closes a request scope, asynchronous disposers included.
  ///
  /// ```swift
  /// try await scope.close()
  /// ```
  ///
  /// As ``syncClose(after:)``. A second caller waits for the first.
  ///
  /// - Parameters:
  ///   - outcome: how the work in the scope has ended, for its disposers.
  ///   - timeLimit: as that of ``shutdown(draining:timeLimit:totalTimeLimit:)``; `nil` for none.
  /// - Throws: ``CloseError/disposalFailed(_:)``, to the caller that came first.
  ///
  /// No thread is blocked.
  nonisolated(nonsending)
    public func close(
      after outcome: ScopeOutcome = .completed, timeLimit: Duration? = nil
    ) async throws
  {
    try await registry.close(outcome: outcome, timeLimits: TimeLimits(each: timeLimit))
  }

  /// Ends the container: disposes of its singletons in the reverse order of their completion, but before what they are known
  /// to resolve later, and releases all instances.
  ///
  /// ```swift
  /// try await container.shutdown(draining: .seconds(20), timeLimit: .seconds(5))
  /// ```
  ///
  /// With `draining`, it first refuses new request scopes of this container and its descendants, and waits until the open
  /// ones have closed, disposers included. Meanwhile these resolve and build as before, and make scopes of their
  /// own. When the time has passed, the shutdown continues.
  ///
  /// From then on, registering in it and resolving its registrations throw, through its children too. References that
  /// callers hold stay valid. Resolves that have begun may still return an instance. Constructions of singletons are
  /// waited for. A parent is not affected, nor are scopes and children that are still open, with their instances.
  ///
  /// Shutting down or closing again, from another task too, waits for the first. While the first still drains, a
  /// call without `draining` ends that, and one with it continues when its own time has passed. The caller's
  /// cancellation changes nothing. Do not await it in a scope that it waits for.
  ///
  /// - Parameters:
  ///   - draining: the longest time to wait for open scopes; `nil` neither refuses new ones nor waits.
  ///   - timeLimit: the longest time for each disposer, and for the constructions that are waited for together. One
  ///     that takes longer is cancelled and reported, and the next one begins.
  ///   - totalTimeLimit: the longest time for all of these together; `nil` for none. Disposers that have not begun by
  ///     then are omitted and reported.
  /// - Throws: ``CloseError/disposalFailed(_:)``; ``CloseError/drainingTimedOut(openScopes:failures:)``.
  /// - Complexity: O(*n* log *n*) in the number of keys ever registered.
  ///
  /// Takes the container's writer lock. No thread is blocked.
  nonisolated(nonsending)
    public func shutdown(
      draining: Duration? = nil, timeLimit: Duration = .seconds(30), totalTimeLimit: Duration? = nil
    ) async throws
  {
    try await registry.shutDown(draining: draining) {
      TimeLimits(each: timeLimit, total: totalTimeLimit).begun()
    }
  }
}
