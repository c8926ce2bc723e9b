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
  /// A scope holds no table until the first registration. `withScope` closes its scope by itself. A
  /// scope that is deallocated without being closed releases the instances, and disposes of none.
  ///
  /// Once ``shutdown(draining:timeLimit:totalTimeLimit:maximumConcurrency:file:line:)`` has begun
  /// to drain this container or an ancestor, every resolve from a new scope throws
  /// ``ResolutionError/scopeRefused(_:)``. `withScope` throws before the work begins.
  ///
  /// The scope keeps this container alive. A weak or unowned reference to this container, made
  /// while the scope already existed, may end earlier, with the last strong reference:
  /// ``Container/parent`` is then a different object that stands for this container.
  ///
  /// ``onUndisposed`` names the source location of the call, `file` and `line`.
  ///
  /// - Parameters:
  ///   - name: the name under which ``Scope/scoped(in:)`` finds the scope; `nil` for none. A nested
  ///     scope may have an equal name.
  ///   - file: the file of the call, for messages.
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
    if let spare = beginSpareScope(at: location) {
      if let name { spare.registry.setScopeName(name) }
      return spare
    }
    let scope = Container(
      fingerprintBits: 64, parent: self, isScope: true, location: location,
      defaultScope: defaultScope)
    if let name { scope.registry.setScopeName(name) }
    return scope
  }

  /// Runs `body` with a request scope, and closes the scope. For synchronous code.
  ///
  /// ```swift
  /// try container.syncWithScope { scope in try scope.resolve(Handler.self).handle(request) }
  /// ```
  ///
  /// Throws like ``withScope(named:timeLimit:file:line:_:)``. If an instance of the scope has an
  /// asynchronous disposer, the call throws ``CloseError/asyncCloseRequired(_:)`` or
  /// ``CloseError/asyncCloseUnderWay``, and a separate task closes the scope. The disposers then
  /// have no time limit, and disposal errors are not reported.
  ///
  /// - Parameters:
  ///   - name: the name of the scope, as for ``makeScope(named:file:line:)``.
  ///   - file: the file named as the origin of the scope; the caller's when left out.
  ///   - line: the line named as the origin of the scope; the caller's when left out.
  ///   - body: the work, which gets the scope.
  /// - Throws: the errors of ``withScope(named:timeLimit:file:line:_:)``;
  ///   ``CloseError/asyncCloseRequired(_:)`` or ``CloseError/asyncCloseUnderWay`` for an
  ///   asynchronous disposer.
  ///
  /// The closing waits for constructions under way where ``syncClose(after:file:line:)`` does.
  @available(*, noasync, message: "In asynchronous code, await withScope.")
  public func syncWithScope<Result>(
    named name: Name? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ body: (Container) throws -> Result
  ) throws -> Result {
    try run(body, in: makeScope(named: name, file: file, line: line))
  }

  /// Runs `body` with a new scope, and closes the scope.
  @usableFromInline
  func run<Result>(_ body: (Container) throws -> Result, in scope: Container) throws -> Result {
    defer { scope.keepForNextScope() }
    try scope.refuseIfDraining()
    return try scope.closing(after: { try body(scope) })
  }

  /// Runs `body`, and then closes this container.
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

  /// Runs `body` with a request scope, and closes the scope. The caller stays on its actor.
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
  ///   - name: the name of the scope, as for ``makeScope(named:file:line:)``.
  ///   - timeLimit: the longest time for every disposer of the scope, as for
  ///     ``close(after:timeLimit:file:line:)``; `nil` for none. The time of `body` is not limited.
  ///   - file: the file of the call, for messages.
  ///   - line: the line of the call.
  ///   - body: the work, which gets the scope.
  /// - Throws: the error of `body`, or else ``CloseError``;
  ///   ``CloseError/workFailed(error:closeError:)`` if both fail;
  ///   ``ResolutionError/scopeRefused(_:)`` if the container opens no scopes any more, `body` has
  ///   then not run.
  nonisolated(nonsending)
    public func withScope<Result>(
      named name: Name? = nil, timeLimit: Duration? = nil,
      file: StaticString = #fileID, line: UInt = #line,
      _ body: nonisolated(nonsending) (Container) async throws -> Result
    ) async throws -> Result
  {
    try await run(body, in: makeScope(named: name, file: file, line: line), timeLimit: timeLimit)
  }

  /// Runs `body` with a new scope, and closes the scope.
  @usableFromInline @inline(__always)
  nonisolated(nonsending)
    func run<Result>(
      _ body: nonisolated(nonsending) (Container) async throws -> Result, in scope: Container,
      timeLimit: Duration?
    ) async throws -> Result
  {
    defer { scope.keepForNextScope() }
    guard scope.registry.admission == .plain, !scope.isBelowClosed else {
      return try await scope.runTracked(body, timeLimit: timeLimit)
    }
    return try await scope.ending(after: body) { core, outcome throws(CloseError) in
      if core.sealForDisposal() {
        try await core.dispose(outcome: outcome, timeLimits: TimeLimits(each: timeLimit))
      }
    }
  }

  /// Runs `body` as work that ``OpenScope/close(workLimit:timeLimit:totalTimeLimit:)`` can cancel.
  /// Out of line, to keep the code of untracked scopes short.
  @inline(never)
  nonisolated(nonsending)
    private func runTracked<Result>(
      _ body: nonisolated(nonsending) (Container) async throws -> Result, timeLimit: Duration?
    ) async throws -> Result
  {
    let tracked = try trackedScope
    return try await ending(
      after: { scope in try await tracked.run(body, with: scope) },
      by: { core, outcome throws(CloseError) in
        try await core.close(outcome: outcome, timeLimits: TimeLimits(each: timeLimit))
      })
  }

  /// Runs `body` with this container, and then ends the container. Inlined: every nested
  /// asynchronous function takes memory of the task.
  @inline(__always)
  nonisolated(nonsending)
    func ending<Result>(
      after body: nonisolated(nonsending) (Container) async throws -> Result,
      by end: nonisolated(nonsending) (ContainerCore, ScopeOutcome) async throws(CloseError) -> Void
    ) async throws -> Result
  {
    var isWorkDone = false
    do {
      // Returned from the scope of the declaration, the result is written directly to the caller's
      // memory: in generic code the result has no fixed size, and a copy would take the task's
      // memory.
      #if DEBUG
        let result = try await RunningScope.during(workIn: registry) { try await body(self) }
      #else
        let result = try await body(self)
      #endif
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
    if registry.isRefused || isBelowClosed { throw .refusedScope(of: Container.self) }
  }

  private var isBelowClosed: Bool { registry.parent?.isClosed == true }

  /// The tracking of this new scope. A scope without tracking has been refused.
  private var trackedScope: TrackedScope {
    get throws(ResolutionError) {
      try refuseIfDraining()
      guard let tracked = registry.trackedScope else { throw .refusedScope(of: Container.self) }
      return tracked
    }
  }

  /// Whether the container has been closed or shut down.
  public var isClosed: Bool { registry.isClosed }

  /// Closes a request scope, for synchronous code: disposes of the instances in the reverse order
  /// of their completion, and releases the instances.
  ///
  /// From then on, resolving from the scope throws ``ResolutionError/containerClosed(_:)``. Every
  /// disposer runs, also after an earlier disposer has thrown.
  ///
  /// The call waits for constructions under way if the scope has registrations of its own, or was
  /// asked for an instance with a disposer or an asynchronous factory. In all other scopes, such
  /// constructions go on beside the call, and the scope stores none of the instances.
  ///
  /// Closing again does nothing; the call waits for the closing under way, synchronous or not. A
  /// call for which the closing itself waits returns at once: a call in a disposer, in a factory
  /// whose instance is awaited, or in a task that such code has made.
  ///
  /// - Parameters:
  ///   - outcome: the outcome of the work in the scope, for the disposers.
  ///   - file: the file of the call, for messages in debug builds.
  ///   - line: the line of the call.
  /// - Throws: ``CloseError/asyncCloseRequired(_:)``, the scope is then still open;
  ///   ``CloseError/asyncCloseUnderWay``, a task is closing it; ``CloseError/disposalFailed(_:)``.
  /// - Complexity: O(*n* log *n*) in the number of instances to dispose of.
  ///
  /// Lock-free for a scope without registrations of its own that was asked for no instance with a
  /// disposer or an asynchronous factory. In all other scopes, the call waits for constructions
  /// under way, and for another thread that is closing the scope.
  @available(*, noasync, message: "In asynchronous code, await close.")
  public func syncClose(
    after outcome: ScopeOutcome = .completed, file: StaticString = #fileID, line: UInt = #line
  ) throws {
    #if DEBUG
      registry.closeLocation.set(SourceLocation(file: file, line: line))
      defer { if !registry.isClosed { registry.closeLocation.forget() } }
    #endif
    try registry.close(outcome: outcome)
  }

  /// Closes a request scope, asynchronous disposers included.
  ///
  /// ```swift
  /// try await scope.close()
  /// ```
  ///
  /// Works like ``syncClose(after:file:line:)``. A second caller waits for the first.
  ///
  /// - Parameters:
  ///   - outcome: the outcome of the work in the scope, for the disposers.
  ///   - timeLimit: the time limit, as for
  ///     ``shutdown(draining:timeLimit:totalTimeLimit:maximumConcurrency:file:line:)``; `nil` for
  ///     none.
  ///   - file: the file of the call, for messages in debug builds.
  ///   - line: the line of the call.
  /// - Throws: ``CloseError/disposalFailed(_:)``, to the caller that came first.
  ///
  /// No thread is blocked.
  nonisolated(nonsending)
    public func close(
      after outcome: ScopeOutcome = .completed, timeLimit: Duration? = nil,
      file: StaticString = #fileID, line: UInt = #line
    ) async throws
  {
    #if DEBUG
      registry.closeLocation.set(SourceLocation(file: file, line: line))
    #endif
    try await registry.close(outcome: outcome, timeLimits: TimeLimits(each: timeLimit))
  }

  /// Ends the container: disposes of the singletons in the reverse order of their completion, but
  /// before the instances that they are known to resolve later, and releases all instances.
  ///
  /// ```swift
  /// try await container.shutdown(draining: .seconds(20), timeLimit: .seconds(5))
  /// ```
  ///
  /// With `draining`, the shutdown first refuses new request scopes of this container and its
  /// descendants, and waits until the open scopes have closed, disposers included. Meanwhile the
  /// open scopes resolve and build as before, and make scopes of their own. When the time has
  /// passed, the shutdown continues.
  ///
  /// From then on, registering in the container and resolving the container's registrations throw,
  /// through children too. References that callers hold stay valid. Resolves that have begun may
  /// still return an instance. The shutdown waits for constructions of singletons. A parent is not
  /// affected, nor are open scopes and children, with their instances.
  ///
  /// Shutting down or closing again, from another task too, waits for the first call, but no longer
  /// than its own `totalTimeLimit`: then ``CloseError/disposalFailed(_:)`` says so. While the
  /// first call still drains, a call without `draining` ends the draining, and a call with
  /// `draining` continues when its own time has passed. The caller's cancellation changes nothing.
  /// Do not await the shutdown in a scope for which the shutdown waits: the work of `withScope`
  /// gets an error at once, in release builds if ``tracksScopes`` is on.
  ///
  /// - Parameters:
  ///   - draining: the longest time to wait for open scopes; `nil` neither refuses new scopes nor
  ///     waits.
  ///   - timeLimit: the longest time for every disposer, and for all awaited constructions
  ///     together. A disposer that takes longer is cancelled and reported, and the next disposer
  ///     begins.
  ///   - totalTimeLimit: the longest time for all disposers and constructions together; `nil` for
  ///     none. Disposers that have not begun by then are omitted and reported.
  ///   - maximumConcurrency: the largest number of instances disposed of side by side, at least 1.
  ///     Two instances are only if no path of dependencies leads from one to the other, as far as
  ///     the container can know; see <doc:ShuttingDown>. With 1, every disposer begins when the
  ///     previous disposer has ended. With a time limit, at most 64 run at once.
  ///   - file: the file of the call, for messages in debug builds.
  ///   - line: the line of the call.
  /// - Throws: ``CloseError/disposalFailed(_:)``;
  ///   ``CloseError/drainingTimedOut(openScopes:failures:)``;
  ///   ``CloseError/shutdownInScope(madeAt:)``.
  /// - Complexity: O(*n* log *n*) in the number of keys ever registered. With a
  ///   `maximumConcurrency` above 1, O(*n*²) in the number of instances with disposers, up to
  ///   1,024, and O(*n*) beyond.
  ///
  /// Takes the container's writer lock. No thread is blocked.
  nonisolated(nonsending)
    public func shutdown(
      draining: Duration? = nil, timeLimit: Duration = .seconds(30),
      totalTimeLimit: Duration? = nil, maximumConcurrency: Int = 1,
      file: StaticString = #fileID, line: UInt = #line
    ) async throws
  {
    precondition(
      maximumConcurrency > 0,
      "Container.shutdown: maximumConcurrency is \(maximumConcurrency), and must be at least 1")
    if let draining, draining > .zero, let location = registry.locationOfScopeRunByCaller {
      throw CloseError.shutdownInScope(madeAt: location)
    }
    #if DEBUG
      registry.closeLocation.set(SourceLocation(file: file, line: line))
    #endif
    try await registry.shutDown(draining: draining) {
      TimeLimits(
        each: timeLimit, total: totalTimeLimit, maximumConcurrency: maximumConcurrency
      ).begun()
    }
  }
}
