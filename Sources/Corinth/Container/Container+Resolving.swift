// SPDX-License-Identifier: MIT

extension Container: Resolving {
  /// The resolver of this container; every call is a resolution of its own, as with the container's
  /// own `resolve`.
  ///
  /// ```swift
  /// struct Services: Resolving {
  ///   let container: Container
  ///   var resolver: Resolver { container.resolver }
  /// }
  /// ```
  ///
  /// The resolver does not keep the container alive.
  ///
  /// Wait-free.
  @inlinable @inline(__always)
  public var resolver: Resolver {
    _read { yield Resolver(registry: registry, construction: nil) }
  }

  /// ``Resolving/resolveIfRegistered(_:name:)-(_,Name?)`` for registrations of the type itself,
  /// without derived products: for the compatibility modules, whose libraries derive no arrays.
  @inlinable @inline(__always)
  package func resolveIfRegisteredItself<Product>(
    _ product: Product.Type
  ) throws -> Product? {
    guard let slot = try registry.registeredSlot(ofType: identity(of: product)) else { return nil }
    return try registry.resolveIfRegistered(product, in: slot, within: nil, orDerived: false)
  }

  /// Resolves a registration of the type itself, or else returns the result of `missing`. Faster in
  /// debug builds, where every function that returns an optional of a generic type looks for the
  /// optional's metadata.
  @inlinable @inline(__always)
  package func resolveItself<Product>(
    _ product: Product.Type, orElse missing: () throws -> Product
  ) throws -> Product {
    guard let slot = try registry.registeredSlot(ofType: identity(of: product)) else {
      return try missing()
    }
    if let section = Section.enterIfAttached(in: registry.table, from: slot) {
      let word = slot.load()
      if word.isReady { return word.instance(of: product, leaving: section) }
      if word.isTransient && section.canBuildInline(in: registry.table, within: nil) {
        return try registry.build(product, from: word, in: section, within: nil)
      }
      section.leave()
    }
    return try registry.resolveSlowly(product, in: slot, orElse: missing)
  }

  /// Resolves a registration of the type itself under a name that may be missing.
  @inlinable
  package func resolveIfRegisteredItself<Product>(
    _ product: Product.Type, name: Name?
  ) throws -> Product? {
    guard let name else { return try resolveIfRegisteredItself(product) }
    guard let slot = try registry.registeredSlot(of: product, name: NameBits(name)) else {
      return nil
    }
    return try registry.resolveIfRegistered(product, in: slot, within: nil, orDerived: false)
  }
}
