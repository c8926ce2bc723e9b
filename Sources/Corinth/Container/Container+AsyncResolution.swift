// SPDX-License-Identifier: MIT

extension Container {
  /// Resolves an instance by its type and, if given, a name; an asynchronous registration too.
  ///
  /// ```swift
  /// let pool = try await container.resolveAsync(Pool.self)
  /// ```
  ///
  /// The caller stays on its actor. A synchronous factory runs in the caller; the asynchronous factory of a
  /// shared instance runs in a task of its own.
  ///
  /// - Parameters:
  ///   - product: the type that it is registered under; inferred when left out.
  ///   - name: the name that it is registered under.
  /// - Returns: an instance according to the registration's scope.
  /// - Throws: ``ResolutionError``. When the calling task is cancelled while it waits, its
  ///   ``ResolutionError/underlyingError-swift.property`` is a `CancellationError`.
  /// - Complexity: O(1), plus the time of the factory.
  ///
  /// Lock-free for a ready singleton. Waiting callers are suspended; no thread is blocked.
  @inlinable @inline(__always)
  nonisolated(nonsending)
    public func resolveAsync<Product>(
      _ product: Product.Type = Product.self, name: Name? = nil
    ) async throws -> Product
  {
    if let instance = registry.readyInstance(of: product, name: name) { return instance }
    return try await registry.resolveAsync(product, name: name, within: nil)
  }

  /// Resolves an instance where an optional is expected: `try? await container.resolveAsync()` and the like.
  ///
  /// As ``resolve()``.
  @inlinable
  nonisolated(nonsending)
    public func resolveAsync<Product>(
      name: Name? = nil
    ) async throws -> Product?
  {
    try await registry.resolveWrappedAsync(Product.self, name: name, within: nil)
  }

  /// Resolves an instance whose factory takes arguments, an asynchronous one too.
  ///
  /// ```swift
  /// let user = try await container.resolveAsync(User.self, arguments: 7, "Ada")
  /// ```
  ///
  /// - Parameters:
  ///   - product: the type that it is registered under; inferred when left out.
  ///   - name: the name that it is registered under.
  ///   - first: the first argument.
  ///   - rest: the others.
  /// - Returns: an instance according to the registration's scope.
  /// - Throws: ``ResolutionError``.
  /// - Complexity: O(1), plus the time of the factory.
  ///
  /// As ``resolveAsync(_:name:)``.
  nonisolated(nonsending)
    public func resolveAsync<Product, First, each Rest>(
      _ product: Product.Type = Product.self, name: Name? = nil, arguments first: First,
      _ rest: repeat each Rest
    ) async throws -> Product
  {
    try await registry.resolveAsync(
      product, name: name, arguments: (first, repeat each rest), within: nil)
  }
}
