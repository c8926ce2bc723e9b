// SPDX-License-Identifier: MIT

extension Container {
  /// Registers a value under its own type.
  ///
  /// ```swift
  /// try container.register(value: Configuration(port: 8080))
  /// let configuration = try container.resolve(Configuration.self)
  /// ```
  ///
  /// Every resolve gets the value, as it gets a singleton that has been built. A disposer that is chained to it runs when the
  /// container is shut down; `release` leaves a value alone, since it cannot be built again.
  ///
  /// - Parameters:
  ///   - value: the value; its static type is the type to resolve by.
  ///   - name: distinguishes registrations of the same type.
  ///   - overridable: `false` refuses to override, and to be overridden.
  ///   - hooks: actions and the like, which each instance has from the first on; see ``Hooks``.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  /// - Returns: the registration.
  /// - Throws: ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``.
  /// - Complexity: O(1) amortised.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func register<Product: Sendable>(
    value: Product, name: Name? = nil, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerConstant(
      value, name, isOverridable: overridable, with: hooks,
      at: SourceLocation(file: file, line: line))
  }

  /// Registers a value under a type that is given, such as a protocol: ``register(value:name:overridable:with:file:line:)``.
  ///
  /// ```swift
  /// try container.register((any Clock).self, value: SystemClock())
  /// ```
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func register<Product: Sendable>(
    _ product: Product.Type, name: Name? = nil, value: Product, overridable: Bool = true,
    with hooks: Hooks<Product>? = nil, file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerConstant(
      value, name, isOverridable: overridable, with: hooks,
      at: SourceLocation(file: file, line: line))
  }

  /// ``register(value:name:overridable:with:file:line:)``, of a type that is not `Sendable`: you take care that threads may
  /// share it.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func register<Product>(
    uncheckedValue value: Product, name: Name? = nil, overridable: Bool = true,
    with hooks: Hooks<Product>? = nil, file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerConstant(
      value, name, isOverridable: overridable, with: hooks,
      at: SourceLocation(file: file, line: line))
  }

  /// The same under a type that is given.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func register<Product>(
    _ product: Product.Type, name: Name? = nil, uncheckedValue value: Product,
    overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerConstant(
      value, name, isOverridable: overridable, with: hooks,
      at: SourceLocation(file: file, line: line))
  }

  private func registerConstant<Product>(
    _ value: Product, _ name: Name?, isOverridable: Bool, with hooks: Hooks<Product>?,
    at location: SourceLocation
  ) throws -> Registration<Product> {
    let attributes = attributes(
      RegistrationKey(product: Product.self, name: name), scope: .singleton,
      isOverridable: isOverridable, with: hooks?.changes, at: location)
    return try register(attributes, ValueRecord(attributes, value: value))
  }

  /// Registers an expression, which each resolve evaluates.
  ///
  /// ```swift
  /// try container.register(evaluating: Deadline(after: .seconds(5)))
  /// try container.register(evaluating: SystemClock(), as: (any Clock).self)
  /// ```
  ///
  /// A factory that needs no resolver, in short. Modifiers may share its result.
  ///
  /// - Parameters:
  ///   - expression: makes an instance. It comes first: beside a parameter of a type that may be anything, the
  ///     compiler cannot locate a mistake in the closure of a factory.
  ///   - product: the type to resolve by; that of the expression when left out.
  ///   - name: distinguishes registrations of the same type.
  ///   - overridable: `false` refuses to override, and to be overridden.
  ///   - hooks: actions and the like, which each instance has from the first on; see ``Hooks``.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  /// - Returns: the registration, which is transient.
  /// - Throws: ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``.
  /// - Complexity: O(1) amortised.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func register<Product>(
    evaluating expression: @autoclosure @escaping @Sendable () throws -> Product,
    as product: Product.Type = Product.self, name: Name? = nil, overridable: Bool = true,
    with hooks: Hooks<Product>? = nil, file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerWired(
      product, name, [], .transient, overridable, hooks, file, line, ParameterTypes()
    ) { _ in try expression() }
  }
}

/// The same for any product. Not disfavoured; see ``Scope``.
extension Container {
  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message:
      "every thread gets this value, and its type is not Sendable: make it Sendable, or say uncheckedValue"
  )
  @discardableResult
  public func register<Product>(
    value: Product, name: Name? = nil, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try register(
      uncheckedValue: value, name: name, overridable: overridable, with: hooks, file: file,
      line: line)
  }

  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message:
      "every thread gets this value, and its type is not Sendable: make it Sendable, or say uncheckedValue"
  )
  @discardableResult
  public func register<Product>(
    _ product: Product.Type, name: Name? = nil, value: Product, overridable: Bool = true,
    with hooks: Hooks<Product>? = nil, file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try register(
      product, name: name, uncheckedValue: value, overridable: overridable, with: hooks, file: file,
      line: line)
  }
}
