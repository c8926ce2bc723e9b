// SPDX-License-Identifier: MIT

extension Container {
  /// Declares a type whose instances are the inputs of request scopes: values that each request has.
  ///
  /// ```swift
  /// try container.registerInput(RequestID.self)
  /// try container.wire(Handler.self, scope: .scoped, using: Handler.init)  // Takes a RequestID.
  /// try await container.withScope(providing: RequestID(request)) { scope in
  ///   try scope.resolve(Handler.self).handle(request)
  /// }
  /// ```
  ///
  /// A resolve gets the value of the nearest scope that was given one. Outside of every scope, or in one that was made
  /// without it, it throws ``ResolutionError/scopeInputMissing(_:)``. A declared optional is `nil` in a scope that was made
  /// without it. An instance that outlives the scope, such as a singleton, cannot have an input. An input may be overridden,
  /// forwarded and decorated like a transient registration.
  ///
  /// A scope that was given no value of the type itself provides the last one of a conforming type, a subclass, or the type
  /// that an optional wraps. That takes longer, as it casts.
  ///
  /// - Throws: ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``.
  /// - Complexity: O(1) amortised. A resolve takes O(*n*) in the number of scopes around it and of their inputs.
  ///
  /// Takes the container's writer lock. Resolving an input is lock-free.
  @discardableResult
  public func registerInput<Input: Sendable>(
    _ input: Input.Type, onDuplicate: DuplicatePolicy? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) throws -> Registration<Input> {
    var attributes = attributes(
      RegistrationKey(product: input), scope: .transient, onDuplicate,
      at: SourceLocation(file: file, line: line))
    attributes.isInput = true
    return try register(FactoryRecord(attributes) { resolver in try resolver.scopeInput(input) })
  }

  /// Makes a request scope with the inputs of its request: ``makeScope(named:file:line:)``.
  ///
  /// ```swift
  /// let scope = container.makeScope(providing: requestID, user)
  /// ```
  ///
  /// The values are stored in the scope as they are: nothing is registered. Each has a type of its own: a resolve of one that
  /// was given more than once throws ``ResolutionError/scopeInputMissing(_:)``. A scope within this one may provide others.
  ///
  /// - Parameters:
  ///   - name: the name of the scope, as that of ``makeScope(named:file:line:)``.
  ///   - inputs: values of types that ``registerInput(_:onDuplicate:file:line:)`` has declared.
  ///   - file: where the call is, for messages.
  ///   - line: the line of the call.
  /// - Returns: a container whose parent is this one.
  /// - Complexity: O(*n*) in the number of ancestors and of inputs.
  ///
  /// Lock-free.
  @inlinable
  public func makeScope<each Input: Sendable>(
    named name: Name? = nil, providing inputs: repeat each Input,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Container {
    let scope = makeScope(named: name, at: SourceLocation(file: file, line: line))
    for input in repeat each inputs { scope.registry.provide(input) }
    return scope
  }

  /// Runs `body` with a request scope that has the inputs of its request, and closes it: ``syncWithScope(named:file:line:_:)``.
  ///
  /// ```swift
  /// try container.syncWithScope(providing: requestID) { scope in try scope.resolve(Handler.self).handle() }
  /// ```
  ///
  /// The parameters are those of ``makeScope(named:providing:file:line:)``, the errors those of ``syncWithScope(named:file:line:_:)``.
  @_disfavoredOverload  // Of no inputs, it would be as good as the form without.
  @inlinable
  @available(*, noasync, message: "In asynchronous code, await withScope.")
  public func syncWithScope<each Input: Sendable, Result>(
    named name: Name? = nil, providing inputs: repeat each Input,
    file: StaticString = #fileID, line: UInt = #line, do body: (Container) throws -> Result
  ) throws -> Result {
    try run(body, in: makeScope(named: name, providing: repeat each inputs, file: file, line: line))
  }

  /// Runs `body` with a request scope that has the inputs of its request, and closes it:
  /// ``withScope(named:timeLimit:file:line:_:)``. The caller stays on its actor.
  ///
  /// ```swift
  /// try await container.withScope(providing: requestID, user) { scope in
  ///   try await scope.resolveAsync(Handler.self).handle(request)
  /// }
  /// ```
  ///
  /// The parameters are those of ``makeScope(named:providing:file:line:)`` and ``withScope(named:timeLimit:file:line:_:)``, and so are the errors.
  @_disfavoredOverload
  @inlinable
  nonisolated(nonsending)
    public func withScope<each Input: Sendable, Result>(
      named name: Name? = nil, providing inputs: repeat each Input, timeLimit: Duration? = nil,
      file: StaticString = #fileID, line: UInt = #line,
      do body: nonisolated(nonsending) (Container) async throws -> Result
    ) async throws -> Result
  {
    try await run(
      body, in: makeScope(named: name, providing: repeat each inputs, file: file, line: line),
      timeLimit: timeLimit)
  }
}
