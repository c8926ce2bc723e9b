// SPDX-License-Identifier: MIT

extension Resolving {
  /// Resolves all registrations of a type, whatever their names.
  ///
  /// ```swift
  /// for check in try container.resolveAll((any HealthCheck).self) { try check.run() }
  /// ```
  ///
  /// Registrations come in the order of their registration, the registrations of the parents
  /// included. An overriding registration takes the place of the overridden registration, until the
  /// key is unregistered; so does a registration of this container that hides a parent's
  /// registration of the same name. Elements of
  /// ``Container/contribute(to:name:scope:with:file:line:factory:)`` are included, factories that
  /// take arguments are not. Every element is shared according to its own scope, graph instances
  /// within this call.
  ///
  /// - Parameter product: the registered type.
  /// - Returns: the instances; none if nothing is registered. A parameter or a resolve of the type
  ///   `[any HealthCheck]` needs at least a single registration.
  /// - Throws: the ``ResolutionError`` of the first element that fails, with the element's path.
  /// - Complexity: O(*n*) in the number of registrations of the type, plus the time of the
  ///   factories. The first call for a type, and the first call after new keys, walks over the keys
  ///   added since the last walk.
  ///
  /// Lock-free. An element waits at most for its own construction.
  @inlinable
  public func resolveAll<Product>(_ product: Product.Type = Product.self) throws -> [Product] {
    let resolver = resolver
    return try resolver.registry.resolveAll(product, within: resolver.construction)
  }

  /// Resolves all registrations of a type, including asynchronous registrations, in sequence.
  ///
  /// ```swift
  /// let plugins = try await container.resolveAllAsync((any Plugin).self)
  /// ```
  ///
  /// Works like ``resolveAll(_:)``. The caller stays on its actor.
  ///
  /// - Throws: ``ResolutionError``.
  ///
  /// No thread is blocked.
  nonisolated(nonsending)
    public func resolveAllAsync<Product>(
      _ product: Product.Type = Product.self
    ) async throws -> [Product]
  {
    let resolver = resolver
    return try await resolver.registry.resolveAllAsync(product, within: resolver.construction)
  }
}
