// SPDX-License-Identifier: MIT

/// Contributions whose dependencies ``Container/validate(roots:inputs:)`` knows. A parameter pack will do here: an
/// application contributes far less than it registers, see Container+Wiring.swift.
extension Container {
  /// Adds an element to the collection of a type, built by an initialiser whose parameters are resolved by their types.
  ///
  /// ```swift
  /// try container.contribute(to: (any HealthCheck).self, using: MailCheck.init)
  /// ```
  ///
  /// As ``contribute(to:name:scope:with:file:line:factory:)``. The parameters resolve as those of
  /// ``register(_:name:scope:overridable:with:using:file:line:)-(_,_,_,_,_,()->Product,_,_)`` do.
  ///
  /// - Parameters:
  ///   - element: the type of the collection's elements.
  ///   - name: lets a later contribution with this name take the place of this one, here or in a child.
  ///   - scope: which resolves share the element; the container's ``defaultScope`` when left out.
  ///   - hooks: actions and the like, which each instance has from the first on; see ``Hooks``.
  ///   - initialiser: builds an element from its dependencies. It may throw.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  /// - Returns: the registration, for modifiers such as ``Registration/asSingleton()``.
  /// - Throws: ``RegistrationError``.
  /// - Complexity: O(1) amortised.
  ///
  /// Takes the container's writer lock.
  @_disfavoredOverload
  @discardableResult
  public func contribute<Element, each Parameter>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser: @escaping @Sendable (repeat each Parameter) throws -> Element,
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    var contribution = contribution(
      to: element, name, scope, hooks, SourceLocation(file: file, line: line))
    contribution.parameters = WiredParameters(Self.list(repeat (each Parameter).self))
    let record = FactoryRecord(contribution) { resolver in
      try initialiser(repeat resolver.parameter((each Parameter).self))
    }
    return try register(contribution, record)
  }

  /// Adds an element that an asynchronous initialiser builds: ``contribute(to:name:scope:with:using:file:line:)``.
  ///
  /// ```swift
  /// try container.contributeAsync(to: (any HealthCheck).self, using: PoolCheck.connect(to:))
  /// ```
  ///
  /// The parameters are resolved one after the other, asynchronous registrations too.
  ///
  /// - Throws: ``RegistrationError``.
  ///
  /// Takes the container's writer lock.
  @_disfavoredOverload
  @discardableResult
  public func contributeAsync<Element, each Parameter>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser: @escaping @Sendable (repeat each Parameter) async throws -> Element,
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    var contribution = contribution(
      to: element, name, scope, hooks, SourceLocation(file: file, line: line))
    contribution.parameters = WiredParameters(Self.list(repeat (each Parameter).self))
    let record = AsyncFactoryRecord(contribution, hashing: nil) { resolver, _ in
      try await initialiser(repeat resolver.parameterAsync((each Parameter).self))
    }
    return try register(contribution, record)
  }

  /// Adds a value to the collection of a type.
  ///
  /// ```swift
  /// try container.contribute(to: Migration.self, value: Migration(name: "orders", statements: [...]))
  /// ```
  ///
  /// As ``contribute(to:name:scope:with:file:line:factory:)``. The value is ready at once, as that of
  /// ``register(value:name:overridable:with:file:line:)``.
  ///
  /// - Throws: ``RegistrationError``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func contribute<Element: Sendable>(
    to element: Element.Type, name: Name? = nil, value: Element,
    with hooks: Hooks<Element>? = nil, file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let contribution = contribution(
      to: element, name, .singleton, hooks, SourceLocation(file: file, line: line))
    return try register(contribution, ValueRecord(contribution, value: value))
  }
}
