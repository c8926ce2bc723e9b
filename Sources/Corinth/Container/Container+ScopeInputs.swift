// SPDX-License-Identifier: MIT

extension Container {
  /// Declares a type whose instances request scopes are made with: what each request brings.
  ///
  /// ```swift
  /// try container.registerInput(RequestID.self)
  /// try container.register(Handler.self, using: Handler.init).asScoped()  // Takes a RequestID.
  /// try await container.withScope(providing: RequestID(request)) { scope in
  ///   try scope.resolve(Handler.self).handle(request)
  /// }
  /// ```
  ///
  /// A resolve gets the value of the nearest scope that was given one. Outside of every scope, or in one that was made
  /// without, it throws ``ResolutionError/scopeInputMissing(_:)``; so does what a singleton needs, since that is resolved
  /// outside of the scopes. An input may be overridden, forwarded and decorated as what is transient.
  ///
  /// - Parameters:
  ///   - input: the type to resolve by. A scope that was given a value of a subclass or of a type that conforms to it,
  ///     and no value of the type itself, provides that.
  ///   - overridable: `false` refuses to override, and to be overridden.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  /// - Returns: the registration.
  /// - Throws: ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``.
  /// - Complexity: O(1) amortised. A resolve takes O(*n*) in the number of scopes around it and of their inputs.
  ///
  /// Takes the container's writer lock. Resolving an input is lock-free.
  @discardableResult
  public func registerInput<Input: Sendable>(
    _ input: Input.Type, overridable: Bool = true, file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Input> {
    var attributes = attributes(
      RegistrationKey(product: input), scope: .transient, isOverridable: overridable,
      at: SourceLocation(file: file, line: line))
    attributes.isInput = true
    return try register(
      attributes,
      FactoryRecord(attributes) { resolver in try resolver.registry.scopeInput(input) })
  }

  /// Makes a request scope with the inputs of its request: ``makeScope(file:line:)``.
  ///
  /// ```swift
  /// let scope = container.makeScope(providing: requestID, user)
  /// ```
  ///
  /// The values are stored in the scope as they are: nothing is registered. Of two values of one type the last one
  /// counts. A scope within this one may provide others.
  ///
  /// - Parameters:
  ///   - first: a value of a type that ``registerInput(_:overridable:file:line:)`` has declared.
  ///   - rest: more of them, of other types.
  ///   - file: where the call is, for messages.
  ///   - line: the line of the call.
  /// - Returns: a container whose parent is this one.
  /// - Complexity: O(*n*) in the number of ancestors and of inputs.
  ///
  /// Lock-free.
  @inlinable
  public func makeScope<First: Sendable, each Rest: Sendable>(
    providing first: First, _ rest: repeat each Rest, file: StaticString = #fileID,
    line: UInt = #line
  ) -> Container {
    makeScope(
      inputs: AnyScopeInput.list(first, repeat each rest),
      at: SourceLocation(file: file, line: line))
  }

  /// Runs `body` with a request scope that has the inputs of its request, and closes it: ``syncWithScope(_:)``.
  ///
  /// ```swift
  /// try container.syncWithScope(providing: requestID) { scope in try scope.resolve(Handler.self).handle() }
  /// ```
  ///
  /// The parameters are those of ``makeScope(providing:_:file:line:)``.
  @inlinable
  public func syncWithScope<First: Sendable, each Rest: Sendable, Result>(
    providing first: First, _ rest: repeat each Rest, file: StaticString = #fileID,
    line: UInt = #line, do body: (Container) throws -> Result
  ) throws -> Result {
    try run(body, in: makeScope(providing: first, repeat each rest, file: file, line: line))
  }

  /// Runs `body` with a request scope that has the inputs of its request, and closes it:
  /// ``withScope(timeLimit:_:)``. The caller stays on its actor.
  ///
  /// ```swift
  /// try await container.withScope(providing: requestID, user) { scope in
  ///   try await scope.resolveAsync(Handler.self).handle(request)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - first: a value of a type that ``registerInput(_:overridable:file:line:)`` has declared.
  ///   - rest: more of them, of other types.
  ///   - timeLimit: the longest time for each disposer of the scope; `nil` for none.
  ///   - file: where the call is, for messages.
  ///   - line: the line of the call.
  ///   - body: the work, which gets the scope.
  @inlinable
  nonisolated(nonsending)
    public func withScope<First: Sendable, each Rest: Sendable, Result>(
      providing first: First, _ rest: repeat each Rest, timeLimit: Duration? = nil,
      file: StaticString = #fileID, line: UInt = #line,
      do body: nonisolated(nonsending) (Container) async throws -> Result
    ) async throws -> Result
  {
    try await run(
      body, in: makeScope(providing: first, repeat each rest, file: file, line: line),
      timeLimit: timeLimit)
  }
}

extension AnyScopeInput {
  /// The inputs of a scope as a list, the last one first.
  @inlinable
  static func list<First: Sendable, each Rest: Sendable>(
    _ first: First, _ rest: repeat each Rest
  ) -> AnyScopeInput {
    var inputs: AnyScopeInput = ScopeInput(first, next: nil)
    for value in repeat each rest { inputs = ScopeInput(value, next: inputs) }
    return inputs
  }
}
