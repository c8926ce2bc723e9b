// SPDX-License-Identifier: MIT

/// Resolves that report a missing registration without an error.
extension Resolving {
  /// Resolves an instance if the type is registered, under the name if given.
  ///
  /// ```swift
  /// let metrics = try container.resolveIfRegistered(Metrics.self) ?? NoMetrics()
  /// let replica = try container.resolveIfRegistered(Database.self, name: "replica")
  /// ```
  ///
  /// As for a wired initializer, an array, a ``Lazy``, a ``Provider`` or a ``Named`` of a
  /// registered type needs no registration of its own. An array without elements is `nil`.
  ///
  /// - Parameters:
  ///   - product: the registered type; inferred when left out.
  ///   - name: the registered name.
  /// - Returns: an instance; `nil` only when nothing is registered under the key, or under a key
  ///   from which the product could be derived.
  /// - Throws: ``ResolutionError``, a missing dependency of the instance included.
  /// - Complexity: O(1), plus the time of the factory.
  ///
  /// Lock-free for a ready singleton, a transient and a miss; otherwise like `resolve(_:)`.
  @inlinable @inline(__always)
  public func resolveIfRegistered<Product>(
    _ product: Product.Type = Product.self, name: Name? = nil
  ) throws -> Product? {
    if let name { return try resolveIfRegistered(product, name: name) }
    guard let slot = try resolver.registry.registeredSlot(ofType: identity(of: product)) else {
      return try resolver.registry.resolveIfDerived(
        product, name: nil, within: resolver.construction)
    }
    return try resolver.registry.resolveIfRegistered(
      product, in: slot, within: resolver.construction, orDerived: true)
  }

  /// Resolves an instance if its type is registered under a name:
  /// ``resolveIfRegistered(_:name:)-(_,Name?)``.
  ///
  /// - Throws: ``ResolutionError``, a missing dependency of the instance included.
  ///
  /// Lock-free like the form with an optional name.
  @inlinable @inline(__always)
  public func resolveIfRegistered<Product>(
    _ product: Product.Type = Product.self, name: borrowing Name
  ) throws -> Product? {
    guard
      let slot = try resolver.registry.registeredSlot(of: product, name: NameBits(name))
    else {
      return try resolver.registry.resolveIfDerived(
        product, name: copy name, within: resolver.construction)
    }
    return try resolver.registry.resolveIfRegistered(
      product, in: slot, within: resolver.construction, orDerived: true)
  }

  /// Resolves an instance if a factory that takes the arguments is registered.
  ///
  /// ```swift
  /// let user = try container.resolveIfRegistered(User.self, arguments: 7) ?? User.guest
  /// ```
  ///
  /// The static types of the arguments select the registration. Works like
  /// ``resolveIfRegistered(_:name:)-(_,Name?)``, without derived products.
  ///
  /// - Throws: ``ResolutionError``, a missing dependency of the instance included.
  @inlinable
  public func resolveIfRegistered<Product, First, each Rest>(
    _ product: Product.Type = Product.self, name: Name? = nil, arguments first: First,
    _ rest: repeat each Rest
  ) throws -> Product? {
    try resolver.registry.resolveIfRegistered(
      product, name: name, arguments: (first, repeat each rest), within: resolver.construction)
  }
}
