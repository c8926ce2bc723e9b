// SPDX-License-Identifier: MIT

/// Registrations that an existing one prevents.
extension Container {
  /// Registers a factory, unless this container has a registration of the key.
  ///
  /// ```swift
  /// try container.registerIfAbsent(Clock.self, scope: .singleton) { _ in SystemClock() }
  /// ```
  ///
  /// For defaults of a module. A parent's registration does not count: this one shadows it. If several threads
  /// register the same key in this way, exactly one succeeds.
  ///
  /// - Parameters:
  ///   - product: the type to resolve by.
  ///   - name: distinguishes registrations of the same type.
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
      RegistrationKey(product: product, name: name), scope: scope?.erased,
      isOverridable: overridable,
      with: hooks?.changes, at: SourceLocation(file: file, line: line))
    return try registerIfAbsent(product, attributes, FactoryRecord(attributes, factory: factory))
  }

  /// Registers an asynchronous factory, unless this container has a registration of the key.
  ///
  /// ```swift
  /// try container.registerAsyncIfAbsent(Pool.self, scope: .singleton) { _ in try await Pool.connect() }
  /// ```
  ///
  /// - Parameters:
  ///   - product: the type to resolve by.
  ///   - name: distinguishes registrations of the same type.
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
      RegistrationKey(product: product, name: name), scope: scope?.erased,
      isOverridable: overridable,
      with: hooks?.changes, at: SourceLocation(file: file, line: line))
    let record = AsyncFactoryRecord(attributes, hashing: nil) { resolver, _ in
      try await factory(resolver)
    }
    return try registerIfAbsent(product, attributes, record)
  }

  func registerIfAbsent<Product>(
    _ product: Product.Type, _ attributes: RegistrationAttributes, _ record: RegistrationRecord
  ) throws -> Bool {
    if let contradiction = attributes.contradiction { throw contradiction }
    let isDone = try registry.publish(record, .ifAbsent).isDone
    if isDone { tellBehaviors(of: Registration<Product>(container: self, attributes)) }
    return isDone
  }
}
