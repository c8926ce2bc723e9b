// SPDX-License-Identifier: MIT

/// An overload per number of arguments: beside an overload that takes a parameter pack, the
/// compiler cannot locate a mistake in the closure of a factory.
extension Container {
  /// Registers a factory that takes arguments.
  ///
  /// ```swift
  /// try container.register(User.self) { (_, id: Int, role: Role) in User(id: id, role: role) }
  /// let user = try container.resolve(User.self, arguments: 7, Role.admin)
  /// ```
  ///
  /// The static types of the arguments are a part of the key: a factory for `any Shape` is not
  /// found with a `Circle`. Up to four arguments: pass more arguments as a single tuple, which a
  /// resolve with the individual arguments finds.
  ///
  /// The remaining parameters work as for a factory without arguments; the scope is
  /// ``Scope/transient`` when left out, and a shared scope stores an instance per value of the
  /// arguments.
  ///
  /// - Throws: ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``,
  ///   ``RegistrationError/scopeRefusesArguments(key:scope:location:)``.
  /// - Complexity: O(1) amortized.
  ///
  /// Takes the container's writer lock.
  @inlinable @discardableResult
  public func register<Product, A1>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1) throws -> Product
  ) throws -> Registration<Product> {
    try register(
      product, name, scope, onDuplicate, options, file, line,
      hashing: ArgumentList.hashing(A1.self),
      taking: ArgumentList.spread(factory))
  }

  @_documentation(visibility: internal) @inlinable @discardableResult
  public func register<Product, A1, A2>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1, A2) throws -> Product
  ) throws -> Registration<Product> {
    try register(
      product, name, scope, onDuplicate, options, file, line,
      hashing: ArgumentList.hashing(A1.self, A2.self), taking: ArgumentList.spread(factory))
  }

  @_documentation(visibility: internal) @inlinable @discardableResult
  public func register<Product, A1, A2, A3>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1, A2, A3) throws -> Product
  ) throws -> Registration<Product> {
    try register(
      product, name, scope, onDuplicate, options, file, line,
      hashing: ArgumentList.hashing(A1.self, A2.self, A3.self),
      taking: ArgumentList.spread(factory))
  }

  @_documentation(visibility: internal) @inlinable @discardableResult
  public func register<Product, A1, A2, A3, A4>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1, A2, A3, A4) throws -> Product
  ) throws -> Registration<Product> {
    try register(
      product, name, scope, onDuplicate, options, file, line,
      hashing: ArgumentList.hashing(A1.self, A2.self, A3.self, A4.self),
      taking: ArgumentList.spread(factory))
  }

  /// Registers a factory that takes the arguments as a single value.
  @usableFromInline
  func register<Product, Arguments>(
    _ product: Product.Type, _ name: Name?, _ scope: Scope<Product>?,
    _ onDuplicate: DuplicatePolicy?,
    _ options: RegistrationOptions<Product>?, _ file: StaticString, _ line: UInt,
    hashing: ArgumentHashing?,
    taking factory: @escaping @Sendable (Resolver, Arguments) throws -> Product
  ) throws -> Registration<Product> {
    let attributes = attributes(
      RegistrationKey(product: product, name: name, arguments: Arguments.self),
      scope: scope?.erased,
      onDuplicate, taking: .arguments(hashing), with: options?.changes,
      at: SourceLocation(file: file, line: line))
    return try register(ArgumentFactoryRecord(attributes, factory: factory))
  }
}
