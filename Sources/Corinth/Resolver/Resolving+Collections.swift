// SPDX-License-Identifier: MIT

extension Resolving {
  /// Resolves all registrations of a type, whatever their names.
  ///
  /// ```swift
  /// for check in try container.resolveAll((any HealthCheck).self) { try check.run() }
  /// ```
  ///
  /// Registrations come in the order in which they were made, those of the parents included. One that overrides another
  /// takes its place, until the key is unregistered; so does one here that hides the one of the same name in a parent. Elements of ``Container/contribute(to:name:scope:with:file:line:factory:)`` are among them, factories that
  /// take arguments are not. Each element is shared as its own scope says, graph instances within this call.
  ///
  /// - Parameter product: the type that they are registered under.
  /// - Returns: the instances; none if nothing is registered. A parameter or a resolve of the type `[any HealthCheck]`
  ///   needs one registration at least.
  /// - Throws: ``ResolutionError``: that of the first element that fails, with its path.
  /// - Complexity: O(*n*) in the number of registrations of the type, plus the time of the factories. The first call for a
  ///   type, and the first after new keys, walks over the keys that are new since the last.
  ///
  /// Lock-free. An element waits at most for its own construction.
  @inlinable
  public func resolveAll<Product>(_ product: Product.Type = Product.self) throws -> [Product] {
    let resolver = resolver
    return try resolver.registry.resolveAll(product, within: resolver.construction)
  }

  /// Resolves all registrations of a type, asynchronous ones too, one after the other.
  ///
  /// ```swift
  /// let plugins = try await container.resolveAllAsync((any Plugin).self)
  /// ```
  ///
  /// As ``resolveAll(_:)``. The caller stays on its actor.
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
