// SPDX-License-Identifier: MIT

extension Container {
  /// Registers a factory under a type and, if given, a name.
  ///
  /// ```swift
  /// try container.register(Database.self, name: "mysql") { resolver in
  ///   MySQL(log: try resolver.resolve(Logger.self))
  /// }.asSingleton()
  /// ```
  ///
  /// A registration of the same key is overridden: resolves that have begun may still return its
  /// instances, later ones do not.
  ///
  /// - Parameters:
  ///   - product: the type to resolve by: a class, struct, enum, actor, protocol, function, tuple.
  ///   - name: tells registrations of the same type apart.
  ///   - scope: who shares the instances; the container's ``defaultScope`` when left out.
  ///   - overridable: `false` refuses to override, and to be overridden.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - factory: builds an instance. It may resolve and register, and may throw.
  /// - Returns: the registration, for modifiers such as ``Registration/asSingleton()``.
  /// - Throws: ``RegistrationError/alreadyRegistered(key:existing:refused:)``,
  ///   ``RegistrationError/weakRequiresClass(key:location:)``.
  /// - Complexity: O(1) amortised.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func register<Product>(
    _ product: Product.Type, name: Name? = nil, scope: Scope? = nil,
    overridable: Bool = true, file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver) throws -> Product
  ) throws(RegistrationError) -> Registration<Product> {
    let attributes = RegistrationAttributes(
      key: RegistrationKey(product: product, name: name), scope: scope ?? defaultScope,
      isOverridable: overridable, location: SourceLocation(file: file, line: line),
      serial: RegistrationAttributes.nextSerial())
    return try register(attributes, FactoryRecord(attributes, factory: factory))
  }

  /// Registers a factory that takes arguments.
  ///
  /// ```swift
  /// try container.register(User.self) { (_, id: Int, role: Role) in User(id: id, role: role) }
  /// let user = try container.resolve(User.self, arguments: 7, Role.admin)
  /// ```
  ///
  /// The static types of the arguments are a part of the key: a factory for `any Shape` is not found
  /// with a `Circle`.
  ///
  /// - Parameters:
  ///   - product: the type to resolve by.
  ///   - name: tells registrations of the same type apart.
  ///   - scope: only ``Scope/transient``.
  ///   - overridable: `false` refuses to override, and to be overridden.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - factory: builds an instance from a resolver and one argument or more.
  /// - Returns: the registration.
  /// - Throws: ``RegistrationError/alreadyRegistered(key:existing:refused:)``,
  ///   ``RegistrationError/scopeRefusesArguments(key:scope:location:)``.
  /// - Complexity: O(1) amortised.
  ///
  /// Takes the container's writer lock.
  @inlinable
  @discardableResult
  public func register<Product, First, each Rest>(
    _ product: Product.Type, name: Name? = nil, scope: Scope = .transient,
    overridable: Bool = true, file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, First, repeat each Rest) throws -> Product
  ) throws(RegistrationError) -> Registration<Product> {
    try register(
      product, name: name, scope: scope, overridable: overridable, file: file, line: line,
      taking: ArgumentList.spread(factory))
  }

  /// Registers a factory that takes its arguments as one value.
  @usableFromInline
  func register<Product, Arguments>(
    _ product: Product.Type, name: Name?, scope: Scope, overridable: Bool, file: StaticString,
    line: UInt, taking factory: @escaping @Sendable (Resolver, Arguments) throws -> Product
  ) throws(RegistrationError) -> Registration<Product> {
    let attributes = RegistrationAttributes(
      key: RegistrationKey(product: product, name: name, arguments: Arguments.self),
      scope: scope, isOverridable: overridable, location: SourceLocation(file: file, line: line),
      serial: RegistrationAttributes.nextSerial())
    return try register(attributes, ArgumentFactoryRecord(attributes, factory: factory))
  }

  private func register<Product>(
    _ attributes: RegistrationAttributes, _ record: RegistrationRecord
  ) throws(RegistrationError) -> Registration<Product> {
    try attributes.scope.check(for: attributes.key, at: attributes.location)
    try registry.register(record)
    return Registration(container: self, attributes)
  }

  /// Removes a registration, and the instance that the container kept for it.
  ///
  /// The key itself stays known: a container grows with the number of different keys ever registered.
  ///
  /// ```swift
  /// container.unregister(Cache.self)
  /// ```
  ///
  /// - Parameters:
  ///   - product: the type it was registered under.
  ///   - name: the name it was registered under.
  /// - Returns: whether there was one.
  /// - Complexity: O(1).
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func unregister<Product>(_ product: Product.Type, name: Name? = nil) -> Bool {
    registry.unregister(RegistrationKey(product: product, name: name))
  }

  /// Removes a registration whose factory takes arguments.
  ///
  /// ```swift
  /// container.unregister(User.self, arguments: Int.self, Role.self)
  /// ```
  ///
  /// - Parameters:
  ///   - product: the type it was registered under.
  ///   - name: the name it was registered under.
  ///   - first: the type of the first argument.
  ///   - rest: the types of the others.
  /// - Returns: whether there was one.
  /// - Complexity: O(1).
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func unregister<Product, First, each Rest>(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type
  ) -> Bool {
    registry.unregister(
      RegistrationKey(product: product, name: name, arguments: (First, repeat each Rest).self))
  }

  /// Removes all registrations, and the instances that the container kept.
  ///
  /// Not one atomic step for readers: a resolve beside it may find one key gone and another not yet.
  ///
  /// - Complexity: O(*n*) in the number of keys ever registered.
  ///
  /// Takes the container's writer lock.
  public func removeAll() {
    registry.unregisterAll()
  }

  /// Whether something is registered under a type and, if given, a name.
  ///
  /// ```swift
  /// if container.contains(Database.self, name: "mysql") { ... }
  /// ```
  ///
  /// - Parameters:
  ///   - product: the type to look for.
  ///   - name: the name to look for.
  /// - Complexity: O(1).
  ///
  /// Wait-free, save while the registry grows.
  public func contains<Product>(_ product: Product.Type, name: Name? = nil) -> Bool {
    registry.contains(RegistrationKey(product: product, name: name))
  }

  /// Whether a factory with arguments of these types is registered.
  ///
  /// ```swift
  /// if container.contains(User.self, arguments: Int.self) { ... }
  /// ```
  ///
  /// - Parameters:
  ///   - product: the type to look for.
  ///   - name: the name to look for.
  ///   - first: the type of the first argument.
  ///   - rest: the types of the others.
  /// - Complexity: O(1).
  ///
  /// Wait-free, save while the registry grows.
  public func contains<Product, First, each Rest>(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type
  ) -> Bool {
    registry.contains(
      RegistrationKey(product: product, name: name, arguments: (First, repeat each Rest).self))
  }
}
