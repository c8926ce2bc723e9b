// SPDX-License-Identifier: MIT

extension ScopeFactory {
  /// Makes a request scope with the inputs of the request:
  /// ``Container/makeScope(named:providing:file:line:)``.
  ///
  /// ```swift
  /// let scope = try scopes.makeScope(providing: job)
  /// ```
  ///
  /// The scope keeps the container alive until the scope is closed or deallocated.
  ///
  /// - Parameters:
  ///   - name: the name of the scope, as for ``Container/makeScope(named:file:line:)``.
  ///   - inputs: values of types declared by ``Container/registerInput(_:onDuplicate:file:line:)``.
  ///   - file: the file of the call, for messages.
  ///   - line: the line of the call.
  /// - Throws: ``ResolutionError/containerGone(_:)``, once the container has been deallocated.
  /// - Complexity: O(*n*) in the number of ancestors and of inputs.
  ///
  /// Takes a lock of the process for a moment, to find the container.
  public func makeScope<each Input: Sendable>(
    named name: Name? = nil, providing inputs: repeat each Input,
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Container {
    try madeScope(name, providing: repeat each inputs, file: file, line: line).scope
  }

  /// Runs `body` with a request scope, and closes the scope:
  /// ``Container/syncWithScope(named:providing:file:line:do:)``.
  ///
  /// ```swift
  /// try scopes.syncWithScope(providing: job) { scope in
  ///   try scope.resolve(JobHandler.self).handle()
  /// }
  /// ```
  ///
  /// - Throws: ``ResolutionError/containerGone(_:)``, once the container has been deallocated; the
  ///   errors of ``Container/syncWithScope(named:providing:file:line:do:)``.
  ///
  /// Takes a lock of the process for a moment, to find the container.
  @available(*, noasync, message: "In asynchronous code, await withScope.")
  public func syncWithScope<each Input: Sendable, Result>(
    named name: Name? = nil, providing inputs: repeat each Input,
    file: StaticString = #fileID, line: UInt = #line, do body: (Container) throws -> Result
  ) throws -> Result {
    let (container, scope) = try madeScope(
      name, providing: repeat each inputs, file: file, line: line)
    return try container.run(body, in: scope)
  }

  /// Runs `body` with a request scope, and closes the scope:
  /// ``Container/withScope(named:providing:timeLimit:file:line:do:)``. The caller stays on its
  /// actor.
  ///
  /// ```swift
  /// try await scopes.withScope(providing: job) { scope in
  ///   try await scope.resolveAsync(JobHandler.self).handle()
  /// }
  /// ```
  ///
  /// - Throws: ``ResolutionError/containerGone(_:)``, once the container has been deallocated; the
  ///   errors of ``Container/withScope(named:providing:timeLimit:file:line:do:)``.
  ///
  /// Takes a lock of the process for a moment, to find the container. No thread is blocked.
  nonisolated(nonsending)
    public func withScope<each Input: Sendable, Result>(
      named name: Name? = nil, providing inputs: repeat each Input, timeLimit: Duration? = nil,
      file: StaticString = #fileID, line: UInt = #line,
      do body: nonisolated(nonsending) (Container) async throws -> Result
    ) async throws -> Result
  {
    let (container, scope) = try madeScope(
      name, providing: repeat each inputs, file: file, line: line)
    return try await container.run(body, in: scope, timeLimit: timeLimit)
  }

  /// A scope of the container, or of its current version.
  private func madeScope<each Input: Sendable>(
    _ name: Name?, providing inputs: repeat each Input, file: StaticString, line: UInt
  ) throws -> (container: Container, scope: Container) {
    while true {
      let container = try container
      let scope = container.makeScope(
        named: name, providing: repeat each inputs, file: file, line: line)
      // The scope is refused, as the version was replaced meanwhile. The next version accepts the
      // scope.
      if scope.registry.isRefused, let current = registry.versionsIfMade?.current,
        current.core !== container.registry
      {
        continue
      }
      return (container, scope)
    }
  }

  private var container: Container {
    get throws {
      if let current = registry.versionsIfMade?.current { return current.container }
      guard let container = registry.container else { throw registry.missing(Self.self, name: nil) }
      return container
    }
  }
}
