// SPDX-License-Identifier: MIT

/// See Container+RegistrationWithArguments.swift.
extension Container {
  /// Registers a factory that takes arguments, unless this container has one for the same types.
  ///
  /// ```swift
  /// try container.registerIfAbsent(User.self) { (_, id: Int) in User(id: id) }
  /// ```
  ///
  /// Up to four arguments: more are one tuple of them, which a resolve with these arguments finds.
  ///
  /// - Parameters:
  ///   - product: the type to resolve by.
  ///   - name: distinguishes registrations of the same type.
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
  @inlinable @discardableResult
  public func registerIfAbsent<Product, A1>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product> = .transient,
    overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1) throws -> Product
  ) throws -> Bool {
    try registerIfAbsent(
      product, name, scope, overridable, hooks, file, line, hashing: ArgumentList.hashing(A1.self),
      taking: ArgumentList.spread(factory))
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func registerIfAbsent<Product, A1, A2>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product> = .transient,
    overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1, A2) throws -> Product
  ) throws -> Bool {
    try registerIfAbsent(
      product, name, scope, overridable, hooks, file, line,
      hashing: ArgumentList.hashing(A1.self, A2.self),
      taking: ArgumentList.spread(factory))
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func registerIfAbsent<Product, A1, A2, A3>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product> = .transient,
    overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1, A2, A3) throws -> Product
  ) throws -> Bool {
    try registerIfAbsent(
      product, name, scope, overridable, hooks, file, line,
      hashing: ArgumentList.hashing(A1.self, A2.self, A3.self),
      taking: ArgumentList.spread(factory))
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func registerIfAbsent<Product, A1, A2, A3, A4>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product> = .transient,
    overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1, A2, A3, A4) throws -> Product
  ) throws -> Bool {
    try registerIfAbsent(
      product, name, scope, overridable, hooks, file, line,
      hashing: ArgumentList.hashing(A1.self, A2.self, A3.self, A4.self),
      taking: ArgumentList.spread(factory))
  }

  /// Registers an asynchronous factory that takes arguments, unless this container has one for the same types.
  ///
  /// ```swift
  /// try container.registerAsyncIfAbsent(User.self) { (_, id: Int) in try await User.load(id) }
  /// ```
  ///
  /// Up to four arguments: more are one tuple of them, which a resolve with these arguments finds.
  ///
  /// - Parameters:
  ///   - product: the type to resolve by.
  ///   - name: distinguishes registrations of the same type.
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
  public func registerAsyncIfAbsent<Product, A1>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product> = .transient,
    overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1) async throws -> sending Product
  ) throws -> Bool {
    try registerAsyncIfAbsent(
      product, name, scope, overridable, hooks, file, line, hashing: ArgumentList.hashing(A1.self),
      taking: ArgumentList.spread(factory))
  }

  @_documentation(visibility: internal)
  @discardableResult
  public func registerAsyncIfAbsent<Product, A1, A2>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product> = .transient,
    overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1, A2) async throws -> sending Product
  ) throws -> Bool {
    try registerAsyncIfAbsent(
      product, name, scope, overridable, hooks, file, line,
      hashing: ArgumentList.hashing(A1.self, A2.self),
      taking: ArgumentList.spread(factory))
  }

  @_documentation(visibility: internal)
  @discardableResult
  public func registerAsyncIfAbsent<Product, A1, A2, A3>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product> = .transient,
    overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1, A2, A3) async throws -> sending Product
  ) throws -> Bool {
    try registerAsyncIfAbsent(
      product, name, scope, overridable, hooks, file, line,
      hashing: ArgumentList.hashing(A1.self, A2.self, A3.self),
      taking: ArgumentList.spread(factory))
  }

  @_documentation(visibility: internal)
  @discardableResult
  public func registerAsyncIfAbsent<Product, A1, A2, A3, A4>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product> = .transient,
    overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1, A2, A3, A4) async throws -> sending Product
  ) throws -> Bool {
    try registerAsyncIfAbsent(
      product, name, scope, overridable, hooks, file, line,
      hashing: ArgumentList.hashing(A1.self, A2.self, A3.self, A4.self),
      taking: ArgumentList.spread(factory))
  }

  /// Registers a factory that takes its arguments as one value, unless there is one.
  @usableFromInline
  func registerIfAbsent<Product, Arguments>(
    _ product: Product.Type, _ name: Name?, _ scope: Scope<Product>, _ overridable: Bool,
    _ hooks: Hooks<Product>?, _ file: StaticString, _ line: UInt,
    hashing: (@Sendable (Arguments) -> ArgumentValues)?,
    taking factory: @escaping @Sendable (Resolver, Arguments) throws -> Product
  ) throws -> Bool {
    let attributes = attributes(
      RegistrationKey(product: product, name: name, arguments: Arguments.self), scope: scope.erased,
      isOverridable: overridable, hasHashableArguments: hashing != nil, with: hooks?.changes,
      at: SourceLocation(file: file, line: line))
    return try registerIfAbsent(
      product, attributes,
      ArgumentFactoryRecord(attributes, hashing: hashing, factory: factory))
  }

  private func registerAsyncIfAbsent<Product, Arguments>(
    _ product: Product.Type, _ name: Name?, _ scope: Scope<Product>, _ overridable: Bool,
    _ hooks: Hooks<Product>?, _ file: StaticString, _ line: UInt,
    hashing: (@Sendable (Arguments) -> ArgumentValues)?,
    taking factory: @escaping @Sendable (Resolver, Arguments) async throws -> sending Product
  ) throws -> Bool {
    let attributes = attributes(
      RegistrationKey(product: product, name: name, arguments: Arguments.self), scope: scope.erased,
      isOverridable: overridable, hasHashableArguments: hashing != nil, with: hooks?.changes,
      at: SourceLocation(file: file, line: line))
    return try registerIfAbsent(
      product, attributes, AsyncFactoryRecord(attributes, hashing: hashing, taking: factory))
  }
}
