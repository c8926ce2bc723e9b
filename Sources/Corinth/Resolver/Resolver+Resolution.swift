// SPDX-License-Identifier: MIT

extension Resolver {
  /// The container that is resolving.
  ///
  /// ```swift
  /// try container.register(Plugins.self) { resolver in
  ///   try resolver.container.register(Clock.self) { _ in Clock() }
  ///   return Plugins(clock: try resolver.resolve())
  /// }
  /// ```
  ///
  /// - Throws: ``ResolutionError/containerGone(_:)``: a resolver does not keep its container alive.
  public var container: Container {
    get throws {
      guard let container = registry.container else {
        throw registry.missing(RegistrationKey(product: Container.self))
      }
      return container
    }
  }
}

// Out of line and not specialised: factories are many, and most are cold; a call site of theirs holds one call. `resolve`
// calls nothing before the factory but as its last call: that would cost it registers.
extension Resolver {
  /// Resolves a dependency by its type: ``Container/resolve(_:)``, as a part of this resolution.
  @inline(never)
  public func resolve<Product>(
    _ product: Product.Type = Product.self
  ) throws -> Product {
    guard let slot = registry.table.cachedSlot(ofType: identity(of: product)) else {
      return try registry.resolveUncached(product, within: construction)
    }
    return try registry.resolve(product, in: slot, within: construction)
  }

  /// Resolves a dependency by its type and a name: ``Container/resolve(_:name:)-(_,Name)``, as a part of
  /// this resolution.
  @inline(never)
  public func resolve<Product>(
    _ product: Product.Type = Product.self, name: borrowing Name
  ) throws -> Product {
    guard let slot = registry.slot(of: product, name: NameBits(name)) else {
      return try registry.resolveInherited(product, name: copy name, within: construction)
    }
    return try registry.resolve(product, in: slot, within: construction)
  }

  /// Resolves a dependency by its type and a name that may be missing, as a part of this resolution.
  public func resolve<Product>(
    _ product: Product.Type = Product.self, name: Name?
  ) throws -> Product {
    if let name { return try resolve(product, name: name) }
    return try resolve(product)
  }

  /// Resolves a dependency where an optional is expected: ``Container/resolve()``, as a part of this
  /// resolution.
  @inlinable
  public func resolve<Product>() throws -> Product? {
    try registry.resolveWrapped(Product.self, name: nil, within: construction)
  }

  /// Resolves a dependency by its name where an optional is expected, as a part of this resolution.
  @inlinable
  public func resolve<Product>(name: borrowing Name) throws -> Product? {
    try registry.resolveWrapped(Product.self, name: copy name, within: construction)
  }

  /// Resolves a dependency whose factory takes arguments: ``Container/resolve(_:name:arguments:_:)``,
  /// as a part of this resolution.
  @inlinable
  public func resolve<Product, First, each Rest>(
    _ product: Product.Type = Product.self, name: Name? = nil, arguments first: First,
    _ rest: repeat each Rest
  ) throws -> Product {
    try registry.resolve(
      product, name: name, arguments: (first, repeat each rest), within: construction)
  }

  /// Calls `body` with a borrowed dependency: ``Container/withResolved(_:_:)``, as a part of this resolution.
  @inlinable
  public func withResolved<Product, Result>(
    _ product: Product.Type, _ body: (Product) throws -> Result
  ) throws -> Result {
    guard let slot = registry.slot(ofType: identity(of: product)) else {
      return try registry.withResolvedInherited(product, name: nil, within: construction, body)
    }
    return try registry.withResolved(product, in: slot, within: construction, body)
  }

  /// Calls `body` with a borrowed dependency that is registered under a name, as a part of this resolution.
  @inlinable
  public func withResolved<Product, Result>(
    _ product: Product.Type, name: borrowing Name, _ body: (Product) throws -> Result
  ) throws -> Result {
    guard let slot = registry.slot(of: product, name: NameBits(name)) else {
      return try registry.withResolvedInherited(
        product, name: copy name, within: construction, body)
    }
    return try registry.withResolved(product, in: slot, within: construction, body)
  }

  /// Calls `body` with a borrowed dependency whose name may be missing, as a part of this resolution.
  @inlinable
  public func withResolved<Product, Result>(
    _ product: Product.Type, name: Name?, _ body: (Product) throws -> Result
  ) throws -> Result {
    if let name { return try withResolved(product, name: name, body) }
    return try withResolved(product, body)
  }

  /// Looks a dependency's key up: ``Container/provider(for:name:)``. Later resolves of the provider are not a
  /// part of this resolution, so it may close a cycle.
  public func provider<Product>(
    for product: Product.Type, name: Name? = nil
  ) throws -> Provider<Product> {
    try Provider(product, name: name, in: registry, keeping: nil)
  }
}
