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
  ///   - scope: which resolves share the instances; the container's ``defaultScope`` when left out.
  ///   - overridable: `false` refuses to override, and to be overridden.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - factory: builds an instance. It may resolve and register, and may throw.
  /// - Returns: the registration, for modifiers such as ``Registration/asSingleton()``.
  /// - Throws: ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``,
  ///   ``RegistrationError/weakRequiresClass(key:location:)``.
  /// - Complexity: O(1) amortised.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func register<Product>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    overridable: Bool = true, file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver) throws -> Product
  ) throws -> Registration<Product> {
    let attributes = attributes(
      RegistrationKey(product: product, name: name), scope: scope?.erased ?? defaultScope.erased,
      isOverridable: overridable, at: SourceLocation(file: file, line: line))
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
  ///   - scope: which resolves share the instances; a shared scope stores one for each value of the arguments.
  ///   - overridable: `false` refuses to override, and to be overridden.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - factory: builds an instance from a resolver and one argument or more.
  /// - Returns: the registration.
  /// - Throws: ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``,
  ///   ``RegistrationError/scopeRefusesArguments(key:scope:location:)``.
  /// - Complexity: O(1) amortised.
  ///
  /// Takes the container's writer lock.
  @inlinable
  @discardableResult
  public func register<Product, First, each Rest>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product> = .transient,
    overridable: Bool = true, file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, First, repeat each Rest) throws -> Product
  ) throws -> Registration<Product> {
    try register(
      product, name: name, scope: scope, overridable: overridable, file: file, line: line,
      hashing: ArgumentList.hashing(First.self, repeat (each Rest).self),
      taking: ArgumentList.spread(factory))
  }

  /// Registers a factory that takes its arguments as one value.
  @usableFromInline
  func register<Product, Arguments>(
    _ product: Product.Type, name: Name?, scope: Scope<Product>, overridable: Bool,
    file: StaticString,
    line: UInt, hashing: (@Sendable (Arguments) -> ArgumentValues)?,
    taking factory: @escaping @Sendable (Resolver, Arguments) throws -> Product
  ) throws -> Registration<Product> {
    let attributes = attributes(
      RegistrationKey(product: product, name: name, arguments: Arguments.self), scope: scope.erased,
      isOverridable: overridable, hasHashableArguments: hashing != nil,
      at: SourceLocation(file: file, line: line))
    return try register(
      attributes, ArgumentFactoryRecord(attributes, hashing: hashing, factory: factory))
  }

  func attributes(
    _ key: RegistrationKey, scope: AnyScope, isOverridable: Bool,
    hasHashableArguments: Bool = true, at location: SourceLocation
  ) -> RegistrationAttributes {
    var attributes = RegistrationAttributes(
      key: key, scope: scope, isOverridable: isOverridable,
      hasHashableArguments: hasHashableArguments, location: location, owner: registry)
    attributes.shareDisposers()
    return attributes
  }

  func register<Product>(
    _ attributes: RegistrationAttributes, _ record: RegistrationRecord
  ) throws(RegistrationError) -> Registration<Product> {
    if let contradiction = attributes.contradiction { throw contradiction }
    try registry.register(record)
    let registration = Registration<Product>(container: self, attributes)
    tellBehaviors(of: registration)
    return registration
  }

  /// Tells the behaviours of a registration that has been made.
  func tellBehaviors<Product>(of registration: Registration<Product>) {
    if !Composition.isUsed { return }
    for case let listener as any RegistrationListener in registry.observers.map(\.behavior) {
      Observation.call { listener.didRegister(registration) }
    }
  }
}
