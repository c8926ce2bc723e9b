// SPDX-License-Identifier: MIT

extension Container {
  /// Declares a type whose instances are the inputs of request scopes: values that every request
  /// has.
  ///
  /// ```swift
  /// try container.registerInput(CorrelationID.self)
  /// try container.wire(Handler.self, scope: .scoped, using: Handler.init)  // Takes the input.
  /// try await container.withScope(providing: CorrelationID(request)) { scope in
  ///   try scope.resolve(Handler.self).handle(request)
  /// }
  /// ```
  ///
  /// A resolve gets the value of the nearest scope that was given a value. Outside of every scope,
  /// or in a scope made without the input, a resolve throws
  /// ``ResolutionError/scopeInputMissing(_:)``. A declared optional is `nil` in a scope made
  /// without the input. An instance that outlives the scope, such as a singleton, cannot have an
  /// input. An input may be overridden, forwarded and decorated like a transient registration.
  ///
  /// A scope without a value of the type itself provides the last value of a conforming type, a
  /// subclass, or the type that an optional wraps. Such a resolve takes longer, because of the
  /// casts.
  ///
  /// - Throws: ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``.
  /// - Complexity: O(1) amortized. A resolve takes O(*n*) in the number of enclosing scopes and of
  ///   their inputs.
  ///
  /// Takes the container's writer lock. Resolving an input is lock-free.
  @discardableResult
  public func registerInput<Input: Sendable>(
    _ input: Input.Type, onDuplicate: DuplicatePolicy? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) throws -> Registration<Input> {
    let attributes = attributes(
      RegistrationKey(product: input), scope: .transient, onDuplicate, taking: .scopeInput,
      at: SourceLocation(file: file, line: line))
    return try register(FactoryRecord(attributes) { resolver in try resolver.scopeInput(input) })
  }

  /// Makes a request scope with the inputs of the request: ``makeScope(named:file:line:)``.
  ///
  /// ```swift
  /// let scope = container.makeScope(providing: requestID, user)
  /// ```
  ///
  /// The scope stores the values directly: nothing is registered. Every value has a type of its
  /// own: a resolve of a type given more than once throws
  /// ``ResolutionError/scopeInputMissing(_:)``. A nested scope may provide other values.
  ///
  /// - Parameters:
  ///   - name: the name of the scope, as for ``makeScope(named:file:line:)``.
  ///   - inputs: values of types declared by ``registerInput(_:onDuplicate:file:line:)``.
  ///   - file: the file of the call, for messages.
  ///   - line: the line of the call.
  /// - Returns: a container whose parent is this container.
  /// - Complexity: O(*n*) in the number of ancestors and of inputs.
  ///
  /// Lock-free.
  @inlinable
  public func makeScope<each Input: Sendable>(
    named name: Name? = nil, providing inputs: repeat each Input,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Container {
    let scope = makeScope(named: name, at: SourceLocation(file: file, line: line))
    // A loop would copy each value once more.
    _ = (repeat scope.registry.provide(each inputs))
    return scope
  }

  /// Runs `body` with a request scope that has the inputs of the request, and closes the scope:
  /// ``syncWithScope(named:file:line:_:)``.
  ///
  /// ```swift
  /// try container.syncWithScope(providing: requestID) { scope in
  ///   try scope.resolve(Handler.self).handle()
  /// }
  /// ```
  ///
  /// For the parameters see ``makeScope(named:providing:file:line:)``.
  ///
  /// - Throws: the errors of ``syncWithScope(named:file:line:_:)``.
  @_disfavoredOverload  // Of no inputs, it would be as good as the form without.
  @inlinable
  @available(*, noasync, message: "In asynchronous code, await withScope.")
  public func syncWithScope<each Input: Sendable, Result>(
    named name: Name? = nil, providing inputs: repeat each Input,
    file: StaticString = #fileID, line: UInt = #line, do body: (Container) throws -> Result
  ) throws -> Result {
    try run(body, in: makeScope(named: name, providing: repeat each inputs, file: file, line: line))
  }

  /// Runs `body` with a request scope that has the inputs of the request, and closes the scope:
  /// ``withScope(named:timeLimit:file:line:_:)``. The caller stays on its actor.
  ///
  /// ```swift
  /// try await container.withScope(providing: requestID, user) { scope in
  ///   try await scope.resolveAsync(Handler.self).handle(request)
  /// }
  /// ```
  ///
  /// For the parameters see ``makeScope(named:providing:file:line:)`` and
  /// ``withScope(named:timeLimit:file:line:_:)``.
  ///
  /// - Throws: the errors of ``withScope(named:timeLimit:file:line:_:)``.
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
