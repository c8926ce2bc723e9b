// SPDX-License-Identifier: MIT

/// Resolves that also build asynchronous registrations.
extension Resolving {
  /// Resolves an instance by the type and, if given, a name; also of an asynchronous registration.
  ///
  /// ```swift
  /// let pool = try await container.resolveAsync(Pool.self)
  /// ```
  ///
  /// The caller stays on its actor. A synchronous factory runs in the caller; the asynchronous
  /// factory of a shared instance runs in a task of its own.
  ///
  /// - Parameters:
  ///   - product: the registered type; inferred when left out.
  ///   - name: the registered name.
  /// - Returns: an instance according to the registration's scope.
  /// - Throws: ``ResolutionError``. When the calling task is cancelled while waiting, the error's
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
    if let instance = try resolver.registry.resolveAtOnce(
      product, name: name, within: resolver.construction)
    {
      return instance
    }
    return try await resolver.registry.resolveAsync(
      product, name: name, within: resolver.construction)
  }

  /// Resolves an instance where an optional is expected: `try? await container.resolveAsync()` and
  /// the like.
  ///
  /// Works like ``resolve()``.
  ///
  /// - Throws: ``ResolutionError``.
  @inlinable
  nonisolated(nonsending)
    public func resolveAsync<Product>(
      name: Name? = nil
    ) async throws -> Product?
  {
    let resolver = resolver
    return try await resolver.registry.resolveWrappedAsync(
      Product.self, name: name, within: resolver.construction)
  }

  /// Resolves an instance whose factory takes arguments, also of an asynchronous registration.
  ///
  /// ```swift
  /// let user = try await container.resolveAsync(User.self, arguments: 7, "Ada")
  /// ```
  ///
  /// Works like ``resolveAsync(_:name:)``.
  ///
  /// - Throws: ``ResolutionError``.
  nonisolated(nonsending)
    public func resolveAsync<Product, First, each Rest>(
      _ product: Product.Type = Product.self, name: Name? = nil, arguments first: First,
      _ rest: repeat each Rest
    ) async throws -> Product
  {
    let resolver = resolver
    let key = RegistrationKey(
      product: product, name: name, arguments: (First, repeat each Rest).self)
    return try await resolver.registry.boxAsync(
      of: key, arguments: ArgumentsBox((first, repeat each rest)), within: resolver.construction
    ).instance(of: product)
  }

  /// Resolves an instance if its type is registered, asynchronously too.
  ///
  /// ```swift
  /// let metrics = try await container.resolveAsyncIfRegistered(Metrics.self) ?? NoMetrics()
  /// ```
  ///
  /// `nil` only when nothing is registered under the key. Works like ``resolveAsync(_:name:)``.
  ///
  /// - Throws: ``ResolutionError``, a missing dependency of the instance included.
  nonisolated(nonsending)
    public func resolveAsyncIfRegistered<Product>(
      _ product: Product.Type = Product.self, name: Name? = nil
    ) async throws -> Product?
  {
    let resolver = resolver
    return try await resolver.registry.resolveAsyncIfRegistered(
      product, RegistrationKey(product: product, name: name), within: resolver.construction)
  }

  /// Resolves an instance if a factory that takes the arguments is registered, asynchronously too.
  ///
  /// ```swift
  /// let user = try await container.resolveAsyncIfRegistered(User.self, arguments: 7)
  /// ```
  ///
  /// The static types of the arguments select the registration. Works like
  /// ``resolveAsyncIfRegistered(_:name:)``.
  ///
  /// - Throws: ``ResolutionError``, a missing dependency of the instance included.
  nonisolated(nonsending)
    public func resolveAsyncIfRegistered<Product, First, each Rest>(
      _ product: Product.Type = Product.self, name: Name? = nil, arguments first: First,
      _ rest: repeat each Rest
    ) async throws -> Product?
  {
    let resolver = resolver
    let key = RegistrationKey(
      product: product, name: name, arguments: (First, repeat each Rest).self)
    return try await resolver.registry.resolveAsyncIfRegistered(
      product, key, arguments: ArgumentsBox((first, repeat each rest)),
      within: resolver.construction)
  }
}
