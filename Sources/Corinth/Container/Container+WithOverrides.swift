// SPDX-License-Identifier: MIT

/// Overrides visible to a single task only.
extension Container {
  /// Runs `body` with a fork of this container that has overrides, and shuts the fork down. The
  /// caller stays on its actor.
  ///
  /// ```swift
  /// try await application.withOverrides { container in
  ///   try container.register((any Mailer).self, onDuplicate: .require) { _ in RecordingMailer() }
  /// } run: { container in
  ///   try await container.resolveAsync(Checkout.self).buy("pen")
  /// }
  /// ```
  ///
  /// The fork is ``current`` in both closures, and is passed to `body`. Concurrent tasks with
  /// overrides do not see each other's overrides, and this container does not see the overrides at
  /// all. As in every ``fork(file:line:_:)``, overrides reach singletons: the fork builds its own.
  ///
  /// Within another call, the inner fork also has the overrides of the outer fork. The call forks
  /// ``current`` if the current container descends from this container, or else the innermost
  /// descending fork of an enclosing call, or else this container. Child tasks and tasks made with
  /// `Task { }` see the fork, and detached tasks do not. For a task that continues after the end of
  /// `body`, the fork is closed.
  ///
  /// The fork is shut down also when the task has been cancelled, and when a closure throws.
  ///
  /// - Parameters:
  ///   - draining: the longest time to wait for the fork's open request scopes, as for
  ///     ``shutdown(draining:timeLimit:totalTimeLimit:maximumConcurrency:file:line:)``; `nil` does
  ///     not wait.
  ///   - timeLimit: the longest time for every disposer of the fork; `nil` for none.
  ///   - overrides: gets the fork, and makes the overrides.
  ///   - body: the work, which gets the fork.
  /// - Returns: the result of `body`.
  /// - Throws: the error of `overrides`, `body` has then not run, or of `body`, or else
  ///   ``CloseError``; ``CloseError/workFailed(error:closeError:)`` if a closure and the shutdown
  ///   fail.
  /// - Complexity: the complexity of ``fork(file:line:_:)`` and
  ///   ``shutdown(draining:timeLimit:totalTimeLimit:maximumConcurrency:file:line:)``.
  ///
  /// Takes the writer locks of the forked container and its ancestors, together and for a moment.
  nonisolated(nonsending)
    public func withOverrides<Result>(
      draining: Duration? = nil, timeLimit: Duration? = .seconds(30),
      _ overrides: nonisolated(nonsending) (Container) async throws -> Void,
      run body: nonisolated(nonsending) (Container) async throws -> Result
    ) async throws -> Result
  {
    let fork = forkToOverride()
    return try await fork.ending { fork in
      try await fork.asOverriding {
        try await overrides(fork)
        return try await body(fork)
      }
    } by: { core, outcome throws(CloseError) in
      try await core.shutDown(after: outcome, draining: draining) { TimeLimits(each: timeLimit) }
    }
  }

  /// Runs `body` with a fork of this container that has overrides, and shuts the fork down. For
  /// synchronous code.
  ///
  /// ```swift
  /// let total = try application.syncWithOverrides { container in
  ///   try container.register((any Catalog).self, onDuplicate: .require) { _ in Sale() }
  /// } run: { container in
  ///   try container.resolve(Checkout.self).total
  /// }
  /// ```
  ///
  /// Works like ``withOverrides(draining:timeLimit:_:run:)``, without time limits. Outside of
  /// tasks, code on the calling thread sees the fork.
  ///
  /// If an instance of the fork has an asynchronous disposer, the call throws
  /// ``CloseError/asyncCloseRequired(_:)`` or ``CloseError/asyncCloseUnderWay``, and a separate
  /// task shuts the fork down. The disposers then have no time limit, and disposal errors are not
  /// reported.
  ///
  /// - Throws: the errors of ``withOverrides(draining:timeLimit:_:run:)``;
  ///   ``CloseError/asyncCloseRequired(_:)`` or ``CloseError/asyncCloseUnderWay`` for an
  ///   asynchronous disposer.
  @available(*, noasync, message: "In asynchronous code, await withOverrides.")
  public func syncWithOverrides<Result>(
    _ overrides: (Container) throws -> Void, run body: (Container) throws -> Result
  ) throws -> Result {
    let fork = forkToOverride()
    return try fork.closing(after: {
      try fork.asOverriding {
        try overrides(fork)
        return try body(fork)
      }
    })
  }

  /// The forks of the enclosing calls in the task, the outermost first. The current container may
  /// descend from an unrelated container.
  @TaskLocal private static var overriding: [Container] = []

  /// Makes a fork of the container that the overrides of a call concern.
  package func forkToOverride() -> Container { Container(forkOf: containerToOverride) }

  private var containerToOverride: Container {
    if let current = Self.current, current.descends(from: self) { return current }
    return Self.overriding.last { $0.descends(from: self) } ?? self
  }

  /// Whether this container is the other container, or looks up missing keys there.
  private func descends(from other: Container) -> Bool {
    registry.searched.contains { $0 === other.registry }
  }

  /// Runs `body` with this container, a fork, as the current container and as the container that
  /// enclosed calls fork.
  package func asOverriding<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.$overriding.withValue(Self.overriding + [self]) { try withCurrent(body) }
  }

  nonisolated(nonsending)
    private func asOverriding<Result>(
      _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result
  {
    try await Self.$overriding.withValueOnActor(Self.overriding + [self]) {
      try await withCurrent(body)
    }
  }
}
