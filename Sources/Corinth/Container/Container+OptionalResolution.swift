// SPDX-License-Identifier: MIT

/// Resolves that find nothing without an error.
extension Container {
  /// Resolves an instance if its type is registered.
  ///
  /// ```swift
  /// let metrics = try container.resolveIfRegistered(Metrics.self) ?? NoMetrics()
  /// ```
  ///
  /// As in an initialiser that is wired, an array, a ``Lazy``, a ``Provider`` or a ``Named`` of a registered
  /// type needs no registration of its own. An array without elements is `nil`.
  ///
  /// - Parameter product: the type that it is registered under; inferred when left out.
  /// - Returns: an instance; `nil` only when nothing is registered under the key, or that it could be derived from.
  /// - Throws: ``ResolutionError``, a missing dependency of the instance included.
  /// - Complexity: O(1), plus the time of the factory.
  ///
  /// Lock-free for a ready singleton, a transient and a miss; otherwise as ``resolve(_:)``.
  @inlinable @inline(__always)
  public func resolveIfRegistered<Product>(
    _ product: Product.Type = Product.self
  ) throws -> Product? {
    guard let slot = try registry.registeredSlot(ofType: identity(of: product)) else {
      return try registry.resolveIfDerived(product, name: nil, within: nil)
    }
    return try registry.resolveIfRegistered(product, in: slot, within: nil, orDerived: true)
  }

  /// The same for registrations of the type itself, without derived products: for the dialects, as the libraries of
  /// these derive no arrays.
  @inlinable @inline(__always)
  package func resolveIfRegisteredItself<Product>(
    _ product: Product.Type
  ) throws -> Product? {
    guard let slot = try registry.registeredSlot(ofType: identity(of: product)) else { return nil }
    return try registry.resolveIfRegistered(product, in: slot, within: nil, orDerived: false)
  }

  /// Resolves an instance if its type is registered under a name.
  ///
  /// ```swift
  /// let replica = try container.resolveIfRegistered(Database.self, name: "replica")
  /// ```
  ///
  /// - Parameters:
  ///   - product: the type that it is registered under; inferred when left out.
  ///   - name: the name that it is registered under.
  /// - Returns: an instance; `nil` only when nothing is registered under the key.
  /// - Throws: ``ResolutionError``, a missing dependency of the instance included.
  /// - Complexity: O(1), plus the time of the factory.
  ///
  /// As ``resolveIfRegistered(_:)``.
  @inlinable @inline(__always)
  public func resolveIfRegistered<Product>(
    _ product: Product.Type = Product.self, name: borrowing Name
  ) throws -> Product? {
    guard let slot = try registry.registeredSlot(of: product, name: NameBits(name)) else {
      return try registry.resolveIfDerived(product, name: copy name, within: nil)
    }
    return try registry.resolveIfRegistered(product, in: slot, within: nil, orDerived: true)
  }

  /// Resolves an instance if its type is registered, under a name that may be missing:
  /// ``resolveIfRegistered(_:name:)-(_,Name)`` with a name, ``resolveIfRegistered(_:)`` with `nil`.
  @inlinable
  public func resolveIfRegistered<Product>(
    _ product: Product.Type = Product.self, name: Name?
  ) throws -> Product? {
    try registry.resolveIfRegistered(product, name: name, within: nil)
  }

  /// Resolves an instance if a factory that takes these arguments is registered.
  ///
  /// ```swift
  /// let user = try container.resolveIfRegistered(User.self, arguments: 7) ?? User.guest
  /// ```
  ///
  /// - Parameters:
  ///   - product: the type that it is registered under; inferred when left out.
  ///   - name: the name that it is registered under.
  ///   - first: the first argument. The static types of the arguments select the registration.
  ///   - rest: the others.
  /// - Returns: an instance; `nil` only when nothing is registered under the key.
  /// - Throws: ``ResolutionError``, a missing dependency of the instance included.
  /// - Complexity: O(1), plus the time of the factory.
  ///
  /// As ``resolveIfRegistered(_:)``.
  @inlinable
  public func resolveIfRegistered<Product, First, each Rest>(
    _ product: Product.Type = Product.self, name: Name? = nil, arguments first: First,
    _ rest: repeat each Rest
  ) throws -> Product? {
    try registry.resolveIfRegistered(
      product, name: name, arguments: (first, repeat each rest), within: nil)
  }

  /// Resolves an instance if its type is registered, asynchronously too.
  ///
  /// ```swift
  /// let metrics = try await container.resolveAsyncIfRegistered(Metrics.self) ?? NoMetrics()
  /// ```
  ///
  /// - Parameters:
  ///   - product: the type that it is registered under; inferred when left out.
  ///   - name: the name that it is registered under.
  /// - Returns: an instance; `nil` only when nothing is registered under the key.
  /// - Throws: ``ResolutionError``, a missing dependency of the instance included.
  /// - Complexity: O(1), plus the time of the factory.
  ///
  /// As ``resolveAsync(_:name:)``.
  nonisolated(nonsending)
    public func resolveAsyncIfRegistered<Product>(
      _ product: Product.Type = Product.self, name: Name? = nil
    ) async throws -> Product?
  {
    try await registry.resolveAsyncIfRegistered(product, name: name, within: nil)
  }

  /// Resolves an instance if a factory that takes these arguments is registered, asynchronously too.
  ///
  /// ```swift
  /// let user = try await container.resolveAsyncIfRegistered(User.self, arguments: 7)
  /// ```
  ///
  /// - Parameters:
  ///   - product: the type that it is registered under; inferred when left out.
  ///   - name: the name that it is registered under.
  ///   - first: the first argument. The static types of the arguments select the registration.
  ///   - rest: the others.
  /// - Returns: an instance; `nil` only when nothing is registered under the key.
  /// - Throws: ``ResolutionError``, a missing dependency of the instance included.
  /// - Complexity: O(1), plus the time of the factory.
  ///
  /// As ``resolveAsync(_:name:)``.
  nonisolated(nonsending)
    public func resolveAsyncIfRegistered<Product, First, each Rest>(
      _ product: Product.Type = Product.self, name: Name? = nil, arguments first: First,
      _ rest: repeat each Rest
    ) async throws -> Product?
  {
    try await registry.resolveAsyncIfRegistered(
      product, name: name, arguments: (first, repeat each rest), within: nil)
  }
}
