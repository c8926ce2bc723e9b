// SPDX-License-Identifier: MIT

extension Container {
  /// Adds an element to the collection of a type.
  ///
  /// ```swift
  /// try container.contribute(to: (any HealthCheck).self) { resolver in
  ///   DiskCheck(disk: try resolver.resolve())
  /// }
  /// let checks = try container.resolve([any HealthCheck].self)
  /// ```
  ///
  /// Independent modules can add to a single collection. ``Resolving/resolveAll(_:)`` and a resolve
  /// of `[any HealthCheck]` find the element; a resolve of the type does not. Without a name the
  /// element overrides nothing and is removed by ``unregister(_:)-(Registration<Product>)``, which
  /// takes the returned registration. A container grows with the number of contributions ever made,
  /// as with the number of keys.
  ///
  /// A name lets a later contribution of that name take the place of this contribution, here or in
  /// a child. The remaining parameters work as for a registered factory.
  ///
  /// - Throws: ``RegistrationError``.
  /// - Complexity: O(1) amortized.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func contribute<Element>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with options: RegistrationOptions<Element>? = nil, file: StaticString = #fileID,
    line: UInt = #line,
    factory: @escaping @Sendable (Resolver) throws -> Element
  ) throws -> Registration<Element> {
    let element = contribution(
      to: element, name, scope, options, SourceLocation(file: file, line: line))
    return try register(FactoryRecord(element, factory: factory))
  }

  /// Adds an element whose factory is asynchronous:
  /// ``contribute(to:name:scope:with:file:line:factory:)``.
  ///
  /// ```swift
  /// try container.contributeAsync(to: (any HealthCheck).self) { resolver in
  ///   PoolCheck(pool: try await resolver.resolveAsync())
  /// }
  /// ```
  ///
  /// - Throws: ``RegistrationError``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func contributeAsync<Element>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with options: RegistrationOptions<Element>? = nil, file: StaticString = #fileID,
    line: UInt = #line,
    factory: @escaping @Sendable (Resolver) async throws -> sending Element
  ) throws -> Registration<Element> {
    let element = contribution(
      to: element, name, scope, options, SourceLocation(file: file, line: line))
    return try register(AsyncFactoryRecord(element, factory: factory))
  }

  /// Adds a value to the collection of a type.
  ///
  /// ```swift
  /// let orders = Migration(name: "orders", statements: [...])
  /// try container.contribute(to: Migration.self, value: orders)
  /// ```
  ///
  /// Works like ``contribute(to:name:scope:with:file:line:factory:)``. The value is ready at once,
  /// as with ``register(value:as:name:onDuplicate:with:file:line:)``.
  ///
  /// - Throws: ``RegistrationError``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func contribute<Element: Sendable>(
    to element: Element.Type, name: Name? = nil, value: Element,
    with options: RegistrationOptions<Element>? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) throws -> Registration<Element> {
    let contribution = contribution(
      to: element, name, .singleton, options, SourceLocation(file: file, line: line))
    return try register(ValueRecord(contribution, boxClass(of: Element.self).init(value)))
  }

  /// The common implementation for all kinds of elements.
  func contribution<Element>(
    to element: Element.Type, _ name: Name?, _ scope: Scope<Element>?,
    _ options: RegistrationOptions<Element>?,
    _ location: SourceLocation
  ) -> RegistrationAttributes {
    attributes(
      RegistrationKey(product: element, name: Name(ContributionName(name, at: location))),
      scope: scope?.erased, with: options?.changes, at: location)
  }

  /// Removes a registration and the stored instance, unless the registration has been overridden or
  /// removed meanwhile.
  ///
  /// ```swift
  /// let check = try container.contribute(to: (any HealthCheck).self) { _ in DiskCheck() }
  /// container.unregister(check)
  /// ```
  ///
  /// - Returns: whether the registration was present.
  /// - Complexity: O(1).
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func unregister<Product>(_ registration: Registration<Product>) -> Bool {
    registry.unregister(registration.key, serial: registration.serial)
  }
}

extension Name {
  /// The name of an element of a collection, as
  /// ``Container/contribute(to:name:scope:with:file:line:factory:)`` gives: no other key has the
  /// name.
  ///
  /// ```swift
  /// try container.wire((any HealthCheck).self, name: .element(), using: DiskCheck.init)
  /// let checks = try container.resolve([any HealthCheck].self)
  /// ```
  ///
  /// ``Resolving/resolveAll(_:)`` and a resolve of the array find a registration with the name; a
  /// resolve of the type does not.
  ///
  /// A later element with an equal `name` takes the place of this element, here or in a child; an
  /// element without a `name` takes no other element's place.
  public static func element(
    _ name: Name? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> Name {
    Name(ContributionName(name, at: SourceLocation(file: file, line: line)))
  }
}
