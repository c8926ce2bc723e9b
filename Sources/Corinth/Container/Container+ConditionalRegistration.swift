// SPDX-License-Identifier: MIT

/// Registrations that give way to one that is there.
extension Container {
  /// Registers a factory, unless this container has a registration of the key.
  ///
  /// ```swift
  /// try container.registerIfAbsent(Clock.self, scope: .singleton) { _ in SystemClock() }
  /// ```
  ///
  /// For defaults of a module. A parent's registration does not count: this one shadows it. Of several threads that
  /// register the same key so, one does.
  ///
  /// - Parameters:
  ///   - product: the type to resolve by.
  ///   - name: tells registrations of the same type apart.
  ///   - scope: which resolves share the instances; the container's ``defaultScope`` when left out.
  ///   - overridable: `false` refuses to be overridden.
  ///   - hooks: actions and the like, which each instance has from the first on; see ``Hooks``.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - factory: builds an instance.
  /// - Returns: whether it was registered.
  /// - Throws: ``RegistrationError/containerClosed(key:location:)``, and what the scope of the product does not allow.
  /// - Complexity: O(1) amortised.
  ///
  /// Takes the container's writer lock, once.
  @discardableResult
  public func registerIfAbsent<Product>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver) throws -> Product
  ) throws -> Bool {
    let attributes = attributes(
      RegistrationKey(product: product, name: name), scope: scope, isOverridable: overridable,
      with: hooks, at: SourceLocation(file: file, line: line))
    return try registerIfAbsent(product, attributes, FactoryRecord(attributes, factory: factory))
  }

  /// Registers a factory that takes arguments, unless this container has one for the same types.
  ///
  /// ```swift
  /// try container.registerIfAbsent(User.self) { (_, id: Int) in User(id: id) }
  /// ```
  ///
  /// - Parameters:
  ///   - product: the type to resolve by.
  ///   - name: tells registrations of the same type apart.
  ///   - scope: which resolves share the instances; a shared scope stores one for each value of the arguments.
  ///   - overridable: `false` refuses to be overridden.
  ///   - hooks: actions and the like, which each instance has from the first on; see ``Hooks``.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - factory: builds an instance from a resolver and one argument or more.
  /// - Returns: whether it was registered.
  /// - Throws: ``RegistrationError/containerClosed(key:location:)``,
  ///   ``RegistrationError/scopeRefusesArguments(key:scope:location:)``.
  /// - Complexity: O(1) amortised.
  ///
  /// Takes the container's writer lock, once.
  @inlinable
  @discardableResult
  public func registerIfAbsent<Product, First, each Rest>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product> = .transient,
    overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, First, repeat each Rest) throws -> Product
  ) throws -> Bool {
    try registerIfAbsent(
      product, name: name, scope: scope, overridable: overridable, with: hooks, file: file,
      line: line, hashing: ArgumentList.hashing(First.self, repeat (each Rest).self),
      taking: ArgumentList.spread(factory))
  }

  /// The same for a factory that takes its arguments as one value.
  @usableFromInline
  func registerIfAbsent<Product, Arguments>(
    _ product: Product.Type, name: Name?, scope: Scope<Product>, overridable: Bool,
    with hooks: Hooks<Product>?, file: StaticString, line: UInt,
    hashing: (@Sendable (Arguments) -> ArgumentValues)?,
    taking factory: @escaping @Sendable (Resolver, Arguments) throws -> Product
  ) throws -> Bool {
    let attributes = attributes(
      RegistrationKey(product: product, name: name, arguments: Arguments.self),
      scope: scope, isOverridable: overridable, hasHashableArguments: hashing != nil,
      with: hooks, at: SourceLocation(file: file, line: line))
    return try registerIfAbsent(
      product, attributes,
      ArgumentFactoryRecord(attributes, hashing: hashing, factory: factory))
  }

  /// Registers an asynchronous factory, unless this container has a registration of the key.
  ///
  /// ```swift
  /// try container.registerAsyncIfAbsent(Pool.self, scope: .singleton) { _ in try await Pool.connect() }
  /// ```
  ///
  /// - Parameters:
  ///   - product: the type to resolve by.
  ///   - name: tells registrations of the same type apart.
  ///   - scope: which resolves share the instances; the container's ``defaultScope`` when left out.
  ///   - overridable: `false` refuses to be overridden.
  ///   - hooks: actions and the like, which each instance has from the first on; see ``Hooks``.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - factory: builds an instance.
  /// - Returns: whether it was registered.
  /// - Throws: ``RegistrationError/containerClosed(key:location:)``, and what the scope of the product does not allow.
  /// - Complexity: O(1) amortised.
  ///
  /// Takes the container's writer lock, once.
  @discardableResult
  public func registerAsyncIfAbsent<Product>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver) async throws -> sending Product
  ) throws -> Bool {
    let attributes = attributes(
      RegistrationKey(product: product, name: name), scope: scope, isOverridable: overridable,
      with: hooks, at: SourceLocation(file: file, line: line))
    let record = AsyncFactoryRecord(attributes, hashing: nil) { resolver, _ in
      try await factory(resolver)
    }
    return try registerIfAbsent(product, attributes, record)
  }

  /// Registers an asynchronous factory that takes arguments, unless this container has one for the same types.
  ///
  /// ```swift
  /// try container.registerAsyncIfAbsent(User.self) { (_, id: Int) in try await User.load(id) }
  /// ```
  ///
  /// - Parameters:
  ///   - product: the type to resolve by.
  ///   - name: tells registrations of the same type apart.
  ///   - scope: which resolves share the instances; a shared scope stores one for each value of the arguments.
  ///   - overridable: `false` refuses to be overridden.
  ///   - hooks: actions and the like, which each instance has from the first on; see ``Hooks``.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - factory: builds an instance from a resolver and one argument or more.
  /// - Returns: whether it was registered.
  /// - Throws: ``RegistrationError/containerClosed(key:location:)``,
  ///   ``RegistrationError/scopeRefusesArguments(key:scope:location:)``.
  /// - Complexity: O(1) amortised.
  ///
  /// Takes the container's writer lock, once.
  @discardableResult
  public func registerAsyncIfAbsent<Product, First, each Rest>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product> = .transient,
    overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory:
      @escaping @Sendable (Resolver, First, repeat each Rest) async throws -> sending Product
  ) throws -> Bool {
    let hashing = ArgumentList.hashing(First.self, repeat (each Rest).self)
    let attributes = attributes(
      RegistrationKey(product: product, name: name, arguments: (First, repeat each Rest).self),
      scope: scope, isOverridable: overridable, hasHashableArguments: hashing != nil,
      with: hooks, at: SourceLocation(file: file, line: line))
    return try registerIfAbsent(
      product, attributes,
      Self.asyncRecord(attributes, hashing: hashing, taking: ArgumentList.spread(factory)))
  }

  private func registerIfAbsent<Product>(
    _ product: Product.Type, _ attributes: RegistrationAttributes, _ record: RegistrationRecord
  ) throws -> Bool {
    if let contradiction = attributes.contradiction { throw contradiction }
    let isDone = try registry.publish(record, .ifAbsent).isDone
    if isDone { tellBehaviors(of: Registration<Product>(container: self, attributes)) }
    return isDone
  }
}
