// SPDX-License-Identifier: MIT

extension Resolving {
  /// Resolves an instance by its type.
  ///
  /// ```swift
  /// let service = try container.resolve(Service.self)
  /// let logger: Logger = try container.resolve()
  /// ```
  ///
  /// - Parameter product: the registered type; inferred when left out.
  /// - Returns: an instance according to the registration's scope.
  /// - Throws: ``ResolutionError``.
  /// - Complexity: O(1), plus the time of the factory.
  ///
  /// A ready singleton and a transient's lookup are lock-free, and wait-free while the registry
  /// does not grow. The first resolve of a shared instance waits at most for that instance's
  /// construction.
  @inlinable @inline(__always)
  public func resolve<Product>(_ product: Product.Type = Product.self) throws -> Product {
    guard let slot = resolver.registry.table.cachedSlot(ofType: identity(of: product)) else {
      return try resolver.registry.resolveUncached(product, within: resolver.construction)
    }
    return try resolver.registry.resolve(product, in: slot, within: resolver.construction)
  }

  /// Resolves an instance by its type and a name: `resolve(_:)`. A registration with a name is
  /// not found without the name, nor the reverse.
  ///
  /// ```swift
  /// let mysql = try container.resolve(Database.self, name: "mysql")
  /// ```
  ///
  /// - Throws: ``ResolutionError``.
  ///
  /// Lock-free like `resolve(_:)`.
  @inlinable @inline(__always)
  public func resolve<Product>(
    _ product: Product.Type = Product.self, name: borrowing Name
  ) throws -> Product {
    let key = KeyWords(type: identity(of: product), name: NameBits(name), arguments: 0)
    guard let slot = resolver.registry.table.cachedSlot(of: key) else {
      return try resolver.registry.resolveUncached(
        product, name: name, within: resolver.construction)
    }
    return try resolver.registry.resolve(product, in: slot, within: resolver.construction)
  }

  /// Resolves an instance by its type and a name that may be missing: ``resolve(_:name:)-(_,Name)``
  /// with a name, `resolve(_:)` with `nil`.
  ///
  /// - Throws: ``ResolutionError``.
  ///
  /// Lock-free like `resolve(_:)`.
  @inlinable
  public func resolve<Product>(
    _ product: Product.Type = Product.self, name: Name?
  ) throws -> Product {
    if let name { return try resolve(product, name: name) }
    return try resolve(product)
  }

  /// Resolves an instance where an optional is expected: `try? container.resolve()` and the like.
  ///
  /// ```swift
  /// let metrics: Metrics? = try? container.resolve()
  /// ```
  ///
  /// Resolves the registration of the optional type itself, or else the registration of the wrapped
  /// type. A missing registration throws, as everywhere: `nil` is a product of a registered
  /// optional's factory.
  ///
  /// Works like `resolve(_:)`.
  ///
  /// - Throws: ``ResolutionError``.
  @inlinable
  public func resolve<Product>() throws -> Product? {
    try resolver.registry.resolveWrapped(Product.self, name: nil, within: resolver.construction)
  }

  /// Resolves an instance by its name where an optional is expected: ``resolve()`` with a name.
  ///
  /// - Throws: ``ResolutionError``.
  ///
  /// Lock-free like `resolve(_:)`.
  @inlinable
  public func resolve<Product>(name: borrowing Name) throws -> Product? {
    try resolver.registry.resolveWrapped(
      Product.self, name: copy name, within: resolver.construction)
  }

  /// Resolves an instance whose factory takes arguments.
  ///
  /// ```swift
  /// let user = try container.resolve(User.self, arguments: 7, "Ada")
  /// ```
  ///
  /// The static types of the arguments select the registration: pass `shape as any Shape` where the
  /// factory takes `any Shape`.
  ///
  /// - Returns: a new instance; of a shared registration, the instance for the values of the
  ///   arguments.
  /// - Throws: ``ResolutionError``.
  /// - Complexity: O(1), plus the time of the factory.
  ///
  /// Lock-free, and wait-free while the registry does not grow.
  @inlinable
  public func resolve<Product, First, each Rest>(
    _ product: Product.Type = Product.self, name: Name? = nil, arguments first: First,
    _ rest: repeat each Rest
  ) throws -> Product {
    try resolver.registry.resolve(
      product, name: name, arguments: (first, repeat each rest), within: resolver.construction)
  }

  /// Calls `body` with an instance that is registered under a name:
  /// ``withResolved(_:name:_:)-(_,Name?,_)``.
  ///
  /// - Throws: ``ResolutionError``, or the error of `body`.
  ///
  /// Lock-free like `resolve(_:)`.
  @inlinable
  public func withResolved<Product, Result>(
    _ product: Product.Type, name: borrowing Name, _ body: (Product) throws -> Result
  ) throws -> Result {
    guard let slot = resolver.registry.slot(of: product, name: NameBits(name)) else {
      return try resolver.registry.withResolvedInherited(
        product, name: copy name, within: resolver.construction, body)
    }
    return try resolver.registry.withResolved(
      product, in: slot, within: resolver.construction, body)
  }

  /// Calls `body` with an instance; a ready instance is borrowed, without a change of the reference
  /// count.
  ///
  /// ```swift
  /// try container.withResolved(Logger.self) { $0.log("hit") }
  /// ```
  ///
  /// While `body` runs, no replaced object in the process is destroyed: keep it short.
  ///
  /// - Throws: ``ResolutionError``, or the error of `body`.
  /// - Complexity: O(1), plus the time of the factory and of `body`.
  ///
  /// Lock-free like `resolve(_:)`; for a ready singleton the call writes no memory that threads
  /// share.
  @inlinable
  public func withResolved<Product, Result>(
    _ product: Product.Type, name: Name? = nil, _ body: (Product) throws -> Result
  ) throws -> Result {
    if let name { return try withResolved(product, name: name, body) }
    guard let slot = resolver.registry.table.slot(ofType: identity(of: product)) else {
      return try resolver.registry.withResolvedInherited(
        product, name: nil, within: resolver.construction, body)
    }
    return try resolver.registry.withResolved(
      product, in: slot, within: resolver.construction, body)
  }

  /// Looks a key up once, to resolve it many times.
  ///
  /// ```swift
  /// let logger = try container.provider(for: Logger.self)
  /// try logger().log("hit")
  /// ```
  ///
  /// The resolves of the provider are not part of a resolution, so a provider made by a factory may
  /// close a cycle.
  ///
  /// - Returns: a function that resolves the key, according to the registration at the time of a
  ///   call.
  /// - Throws: ``ResolutionError/noRegistrationFound(_:)``.
  /// - Complexity: O(1).
  ///
  /// Wait-free, save while the registry grows.
  public func provider<Product>(
    for product: Product.Type, name: Name? = nil
  ) throws -> Provider<Product> {
    try Provider(product, name: name, in: resolver.registry, keeping: self as? Container)
  }
}
