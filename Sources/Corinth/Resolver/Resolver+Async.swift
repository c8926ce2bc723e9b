// SPDX-License-Identifier: MIT

extension Resolver {
  /// Resolves a dependency, an asynchronous one too: ``Container/resolveAsync(_:name:)``, as a part of this
  /// resolution.
  @inlinable @inline(__always)
  nonisolated(nonsending)
    public func resolveAsync<Product>(
      _ product: Product.Type = Product.self, name: Name? = nil
    ) async throws -> Product
  {
    if let instance = registry.readyInstance(of: product, name: name) { return instance }
    return try await registry.resolveAsync(product, name: name, within: construction)
  }

  /// Resolves a dependency where an optional is expected, as a part of this resolution.
  @inlinable
  nonisolated(nonsending)
    public func resolveAsync<Product>(
      name: Name? = nil
    ) async throws -> Product?
  {
    try await registry.resolveWrappedAsync(Product.self, name: name, within: construction)
  }

  /// Resolves a dependency whose factory takes arguments: ``Container/resolveAsync(_:name:arguments:_:)``, as a
  /// part of this resolution.
  nonisolated(nonsending)
    public func resolveAsync<Product, First, each Rest>(
      _ product: Product.Type = Product.self, name: Name? = nil, arguments first: First,
      _ rest: repeat each Rest
    ) async throws -> Product
  {
    try await registry.resolveAsync(
      product, name: name, arguments: (first, repeat each rest), within: construction)
  }
}
