// SPDX-License-Identifier: MIT

/// See Container+RegistrationWithArguments.swift.
extension Container {
  /// Overrides a registration whose factory takes arguments:
  /// ``override(_:name:scope:with:file:line:factory:)-(_,_,_,_,_,_,(Resolver)->Product)``.
  @inlinable @discardableResult
  public func override<Product, A1>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1) throws -> Product
  ) throws -> Override {
    try override(
      product, name, scope, hooks, file, line, hashing: ArgumentList.hashing(A1.self),
      taking: ArgumentList.spread(factory))
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func override<Product, A1, A2>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1, A2) throws -> Product
  ) throws -> Override {
    try override(
      product, name, scope, hooks, file, line, hashing: ArgumentList.hashing(A1.self, A2.self),
      taking: ArgumentList.spread(factory))
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func override<Product, A1, A2, A3>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1, A2, A3) throws -> Product
  ) throws -> Override {
    try override(
      product, name, scope, hooks, file, line,
      hashing: ArgumentList.hashing(A1.self, A2.self, A3.self),
      taking: ArgumentList.spread(factory))
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func override<Product, A1, A2, A3, A4>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1, A2, A3, A4) throws -> Product
  ) throws -> Override {
    try override(
      product, name, scope, hooks, file, line,
      hashing: ArgumentList.hashing(A1.self, A2.self, A3.self, A4.self),
      taking: ArgumentList.spread(factory))
  }

  @usableFromInline
  func override<Product, Arguments>(
    _ product: Product.Type, _ name: Name?, _ scope: Scope<Product>?, _ hooks: Hooks<Product>?,
    _ file: StaticString, _ line: UInt, hashing: (@Sendable (Arguments) -> ArgumentValues)?,
    taking factory: @escaping @Sendable (Resolver, Arguments) throws -> Product
  ) throws -> Override {
    try override(
      product, RegistrationKey(product: product, name: name, arguments: Arguments.self),
      scope: scope, with: hooks, at: SourceLocation(file: file, line: line)
    ) { attributes in
      attributes.hasHashableArguments = hashing != nil
      return ArgumentFactoryRecord(attributes, hashing: hashing, factory: factory)
    }
  }
}
