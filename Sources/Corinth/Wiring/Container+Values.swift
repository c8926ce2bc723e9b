// SPDX-License-Identifier: MIT

extension Container {
  /// Registers a value.
  ///
  /// ```swift
  /// try container.register(value: Configuration(port: 8080))
  /// try container.register(value: SystemClock(), as: (any Clock).self)
  /// let configuration = try container.resolve(Configuration.self)
  /// ```
  ///
  /// Every resolve gets the value, like a singleton that has been built. A chained disposer runs
  /// when the container is shut down; `release` leaves a value alone, since the container cannot
  /// build a value again.
  ///
  /// The type to resolve by is the type of the value when left out; the remaining parameters work
  /// as for a factory.
  ///
  /// - Throws: ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``.
  /// - Complexity: O(1) amortized.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func register<Product: Sendable>(
    value: Product, as product: Product.Type = Product.self, name: Name? = nil,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerConstant(
      value, name, onDuplicate, options, file, line)
  }

  /// ``register(value:as:name:onDuplicate:with:file:line:)``, of a type that is not `Sendable`: you
  /// ensure that threads may share the value.
  ///
  /// - Throws: ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func register<Product>(
    uncheckedValue value: Product, as product: Product.Type = Product.self, name: Name? = nil,
    onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) throws -> Registration<Product> {
    try registerConstant(
      value, name, onDuplicate, options, file, line)
  }

  private func registerConstant<Product>(
    _ value: Product, _ name: Name?, _ onDuplicate: DuplicatePolicy?,
    _ options: RegistrationOptions<Product>?,
    _ file: StaticString, _ line: UInt
  ) throws -> Registration<Product> {
    let attributes = attributes(
      RegistrationKey(product: Product.self, name: name), scope: .singleton, isScopeGiven: false,
      onDuplicate, with: options?.changes, at: SourceLocation(file: file, line: line))
    return try register(ValueRecord(consume attributes, boxClass(of: Product.self).init(value)))
  }

  /// Registers an expression, evaluated by every resolve.
  ///
  /// ```swift
  /// try container.register(evaluating: Deadline(after: .seconds(5)))
  /// try container.register(evaluating: SystemClock(), as: (any Clock).self)
  /// ```
  ///
  /// A short form of a factory that needs no resolver. Modifiers may share the result.
  ///
  /// The expression comes first: beside a parameter of any type, the compiler cannot locate a
  /// mistake in the closure of a factory. The type to resolve by is the type of the expression when
  /// left out.
  ///
  /// - Returns: the registration, which is transient unless a modifier says otherwise; a
  ///   registration that has to override takes the overridden registration's scope.
  /// - Throws: ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``.
  /// - Complexity: O(1) amortized.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func register<Product>(
    evaluating expression: @autoclosure @escaping @Sendable () throws -> Product,
    as product: Product.Type = Product.self, name: Name? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) throws -> Registration<Product> {
    var attributes = attributes(
      RegistrationKey(product: product, name: name), scope: nil, onDuplicate,
      otherwise: .transient, with: options?.changes, at: SourceLocation(file: file, line: line))
    attributes.parameters = WiredParameters([], arguments: [])
    return try register(FactoryRecord(attributes) { _ in try expression() })
  }
}

/// The value registration for any product. Not disfavored; see ``Scope``.
extension Container {
  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message:
      "only for a type that is not Sendable, as this one: every thread gets the value. Make the type Sendable, or say uncheckedValue"
  )
  @discardableResult
  public func register<Product>(
    value: Product, as product: Product.Type = Product.self, name: Name? = nil,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerConstant(value, name, onDuplicate, options, file, line)
  }
}
