// SPDX-License-Identifier: MIT

// Out of line and not specialized: factories are many, and most are cold; a resolve costs a factory
// a single call. The first two functions call nothing before the factory except as their last call:
// earlier calls would cost registers. The remaining functions are here because the compiler prefers
// a member of the type to a member of the protocol, whatever result type is expected.
extension Resolver {
  /// Resolves a dependency by its type: ``Resolving/resolve(_:)``, as a part of this resolution.
  ///
  /// - Throws: ``ResolutionError``.
  @inline(never)
  public func resolve<Product>(_ product: Product.Type = Product.self) throws -> Product {
    guard let slot = registry.table.cachedSlot(ofType: identity(of: product)) else {
      return try registry.resolveUncached(product, within: construction)
    }
    return try registry.resolve(product, in: slot, within: construction)
  }

  /// Resolves a dependency by its type and a name: ``Resolving/resolve(_:name:)-(_,Name)``, as a
  /// part of this resolution.
  ///
  /// - Throws: ``ResolutionError``.
  @inline(never)
  public func resolve<Product>(
    _ product: Product.Type = Product.self, name: borrowing Name
  ) throws -> Product {
    guard
      let slot = registry.table.cachedSlot(
        of: KeyWords(type: identity(of: product), name: NameBits(name), arguments: 0))
    else {
      return try registry.resolveUncached(product, name: name, within: construction)
    }
    return try registry.resolve(product, in: slot, within: construction)
  }

  /// Resolves a dependency where an optional is expected: ``Resolving/resolve()``, as a part of
  /// this resolution.
  ///
  /// A missing registration throws, as in ``Resolving/resolve()``.
  ///
  /// - Throws: ``ResolutionError``.
  @inlinable
  public func resolve<Product>() throws -> Product? {
    try registry.resolveWrapped(Product.self, name: nil, within: construction)
  }

  /// Resolves a dependency by its name where an optional is expected: ``Resolving/resolve(name:)``,
  /// as a part of this resolution.
  ///
  /// A missing registration throws; `nil` is only returned as the product of a registered
  /// optional's factory.
  ///
  /// - Throws: ``ResolutionError``.
  @inlinable
  public func resolve<Product>(name: borrowing Name) throws -> Product? {
    try registry.resolveWrapped(Product.self, name: copy name, within: construction)
  }
}

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
  /// - Throws: ``ResolutionError/containerGone(_:)``: a resolver does not keep the container alive.
  public var container: Container {
    get throws {
      guard let container = registry.container else {
        throw registry.missing(RegistrationKey(product: Container.self))
      }
      DeferredDependencies.noteLaterResolves(in: registry)
      ResolveNotes.noteUnknown()
      return container
    }
  }
}
