// SPDX-License-Identifier: MIT

extension ScopeFactory {
  /// Makes a request scope with the inputs of its request: ``Container/makeScope(named:providing:file:line:)``.
  ///
  /// ```swift
  /// let scope = try scopes.makeScope(providing: job)
  /// ```
  ///
  /// The scope keeps its container alive until it is closed or deallocated.
  ///
  /// - Parameters:
  ///   - name: the name of the scope, as that of ``Container/makeScope(named:file:line:)``.
  ///   - inputs: values of types that ``Container/registerInput(_:onDuplicate:file:line:)`` has declared.
  ///   - file: where the call is, for messages.
  ///   - line: the line of the call.
  /// - Throws: ``ResolutionError/containerGone(_:)``, once the container has been deallocated.
  /// - Complexity: O(*n*) in the number of ancestors and of inputs.
  ///
  /// Takes a lock of the process for a moment, to find the container.
  public func makeScope<each Input: Sendable>(
    named name: ScopeName? = nil, providing inputs: repeat each Input,
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Container {
    try container.makeScope(named: name, providing: repeat each inputs, file: file, line: line)
  }

  /// Runs `body` with a request scope, and closes it: ``Container/syncWithScope(named:providing:file:line:do:)``.
  ///
  /// ```swift
  /// try scopes.syncWithScope(providing: job) { scope in try scope.resolve(JobHandler.self).handle() }
  /// ```
  ///
  /// - Throws: ``ResolutionError/containerGone(_:)``, once the container has been deallocated; the errors of the function above.
  ///
  /// Takes a lock of the process for a moment, to find the container.
  @available(*, noasync, message: "In asynchronous code, await withScope.")
  public func syncWithScope<each Input: Sendable, Result>(
    named name: ScopeName? = nil, providing inputs: repeat each Input,
    file: StaticString = #fileID, line: UInt = #line, do body: (Container) throws -> Result
  ) throws -> Result {
    try container.syncWithScope(
      named: name, providing: repeat each inputs, file: file, line: line, do: body)
  }

  /// Runs `body` with a request scope, and closes it: ``Container/withScope(named:providing:timeLimit:file:line:do:)``. The caller
  /// stays on its actor.
  ///
  /// ```swift
  /// try await scopes.withScope(providing: job) { scope in
  ///   try await scope.resolveAsync(JobHandler.self).handle()
  /// }
  /// ```
  ///
  /// - Throws: ``ResolutionError/containerGone(_:)``, once the container has been deallocated; the errors of the function above.
  ///
  /// Takes a lock of the process for a moment, to find the container. No thread is blocked.
  nonisolated(nonsending)
    public func withScope<each Input: Sendable, Result>(
      named name: ScopeName? = nil, providing inputs: repeat each Input, timeLimit: Duration? = nil,
      file: StaticString = #fileID, line: UInt = #line,
      do body: nonisolated(nonsending) (Container) async throws -> Result
    ) async throws -> Result
  {
    try await container.withScope(
      named: name, providing: repeat each inputs, timeLimit: timeLimit, file: file, line: line,
      do: body)
  }

  private var container: Container {
    get throws {
      guard let container = registry.container else { throw registry.missing(Self.self, name: nil) }
      return container
    }
  }
}
