// SPDX-License-Identifier: MIT

extension Container {
  /// Makes a request scope: a child container for throw-away use, which keeps `.scoped` instances.
  ///
  /// ```swift
  /// let scope = container.makeScope()
  /// let session = try scope.resolve(Session.self)
  /// try await scope.close()
  /// ```
  ///
  /// It holds no table until something is registered in it. `withScope` closes it by itself. A scope that is
  /// dropped without being closed lets go of its instances, and disposes of none.
  ///
  /// - Returns: a container whose parent is this one.
  /// - Complexity: O(1).
  ///
  /// Lock-free.
  public func makeScope() -> Container {
    Container(fingerprintBits: 64, parent: self, isScope: true, defaultScope: defaultScope)
  }

  /// Runs `body` with a request scope, and closes it.
  ///
  /// ```swift
  /// try container.withScope { scope in try scope.resolve(Handler.self).handle(request) }
  /// ```
  ///
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws, or else ``CloseError``.
  ///
  /// If an instance that the scope keeps can only be disposed of asynchronously, this throws
  /// ``CloseError/asyncCloseRequired(_:)`` or ``CloseError/asyncCloseUnderWay``, and a task of its own closes the
  /// scope.
  @_disfavoredOverload
  public func withScope<Result>(_ body: (Container) throws -> Result) throws -> Result {
    let scope = makeScope()
    let result: Result
    do { result = try body(scope) } catch {
      // The error that came first is the one to know.
      try? scope.closeOrHandOver()
      throw error
    }
    try scope.closeOrHandOver()
    return result
  }

  /// Closes a scope that no other caller could close any more.
  private func closeOrHandOver() throws(CloseError) {
    do { try close() } catch {
      if case .asyncCloseRequired = error { Task { try? await close() } }
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
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws, or else ``CloseError``.
  nonisolated(nonsending)
    public func withScope<Result>(
      _ body: nonisolated(nonsending) (Container) async throws -> Result
    ) async throws -> Result
  {
    let scope = makeScope()
    let result: Result
    do { result = try await body(scope) } catch {
      // The error that came first is the one to know.
      try? await scope.close()
      throw error
    }
    try await scope.close()
    return result
  }

  /// Whether the container has been closed or shut down.
  public var isClosed: Bool { registry.isClosed }

  /// Closes a request scope: disposes of its instances in the reverse order of their completion, and lets them go.
  ///
  /// From then on, resolving from the scope throws ``ResolutionError/containerClosed(_:)``. Every disposer runs,
  /// also when another one throws. Instances that are being built are waited for.
  ///
  /// Closing again does nothing. It waits for the closing under way, if there is one, whichever way that was
  /// begun. A call that the closing itself waits for returns at once: one from a disposer, from a factory whose
  /// instance is waited for, or from a task that these have made.
  ///
  /// - Throws: ``CloseError/asyncCloseRequired(_:)``, the scope is then still open;
  ///   ``CloseError/asyncCloseUnderWay``, a task is closing it; ``CloseError/disposalFailed(_:)``.
  /// - Complexity: O(*n* log *n*) in the number of instances to dispose of.
  ///
  /// Lock-free for a scope that has neither disposers nor registrations of its own. Waits for constructions that are
  /// under way in the scope, and for another thread that is closing it.
  public func close() throws(CloseError) {
    try registry.close()
  }

  /// Closes a request scope, asynchronous disposers included.
  ///
  /// As the synchronous one. The caller's cancellation changes nothing. It stays on its actor, where the disposers
  /// run if none of them is asynchronous and no construction is under way.
  ///
  /// - Throws: ``CloseError/disposalFailed(_:)``, to the caller that came first.
  ///
  /// No thread is blocked.
  nonisolated(nonsending)
    public func close() async throws(CloseError)
  {
    try await registry.close(timeLimit: nil)
  }

  /// Ends the container: disposes of its singletons in the reverse order of their completion, and lets everything
  /// go.
  ///
  /// ```swift
  /// try await container.shutdown(timeLimit: .seconds(10))
  /// ```
  ///
  /// From then on, registering in it, resolving from it, and resolving through its children what is not registered in
  /// these throws. Who has an instance keeps it.
  /// Resolves that have begun may still return one; singletons that are being built are waited for. A parent is
  /// left as it is, and so are scopes and children with what they keep: close them first.
  ///
  /// Shutting down or closing again, from another task too, waits for the first. The caller's cancellation changes
  /// nothing.
  ///
  /// - Parameter timeLimit: how long each disposer may take, and each construction that is waited for. One that
  ///   takes longer is cancelled and reported, and the next one begins.
  /// - Throws: ``CloseError/disposalFailed(_:)``.
  /// - Complexity: O(*n* log *n*) in the number of keys ever registered.
  ///
  /// Takes the container's writer lock. No thread is blocked.
  nonisolated(nonsending)
    public func shutdown(timeLimit: Duration = .seconds(30)) async throws(CloseError)
  {
    try await registry.close(timeLimit: timeLimit)
  }
}
