// SPDX-License-Identifier: MIT

/// Resolves of dependencies that find nothing without an error.
extension Resolver {
  /// Resolves a dependency if its type is registered: ``Container/resolveIfRegistered(_:name:)-(_,Name?)``, as a
  /// part of this resolution.
  @inlinable
  public func resolveIfRegistered<Product>(
    _ product: Product.Type = Product.self, name: Name? = nil
  ) throws -> Product? {
    try registry.resolveIfRegistered(product, name: name, within: construction)
  }

  /// Resolves a dependency if a factory that takes these arguments is registered:
  /// ``Container/resolveIfRegistered(_:name:arguments:_:)``, as a part of this resolution.
  @inlinable
  public func resolveIfRegistered<Product, First, each Rest>(
    _ product: Product.Type = Product.self, name: Name? = nil, arguments first: First,
    _ rest: repeat each Rest
  ) throws -> Product? {
    try registry.resolveIfRegistered(
      product, name: name, arguments: (first, repeat each rest), within: construction)
  }

  /// Resolves a dependency if its type is registered: ``Container/resolveAsyncIfRegistered(_:name:)``, as a
  /// part of this resolution.
  nonisolated(nonsending)
    public func resolveAsyncIfRegistered<Product>(
      _ product: Product.Type = Product.self, name: Name? = nil
    ) async throws -> Product?
  {
    try await registry.resolveAsyncIfRegistered(product, name: name, within: construction)
  }

  /// Resolves a dependency if a factory that takes these arguments is registered:
  /// ``Container/resolveAsyncIfRegistered(_:name:arguments:_:)``, as a part of this resolution.
  nonisolated(nonsending)
    public func resolveAsyncIfRegistered<Product, First, each Rest>(
      _ product: Product.Type = Product.self, name: Name? = nil, arguments first: First,
      _ rest: repeat each Rest
    ) async throws -> Product?
  {
    try await registry.resolveAsyncIfRegistered(
      product, name: name, arguments: (first, repeat each rest), within: construction)
  }
}
