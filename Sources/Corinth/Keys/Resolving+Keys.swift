// SPDX-License-Identifier: MIT

// Forms that take a key are disfavored, here and in the other files: the compiler would otherwise
// explain a mistake beside a type by a key that is missing there.
extension Resolving {
  /// Resolves an instance of a declared part.
  ///
  /// ```swift
  /// let mailer = try container.resolve(App.mailer)
  /// ```
  ///
  /// The instance is the default's if nothing is registered under the key.
  ///
  /// - Returns: an instance according to the scope of the registration, or else of the key.
  /// - Throws: ``ResolutionError``.
  /// - Complexity: O(1), plus the time of the factory.
  ///
  /// Lock-free like ``resolve(_:)-(Product.Type)``. The first use of a default in a container takes
  /// the writer lock of the outermost parent.
  @_disfavoredOverload
  @inlinable @inline(__always)
  public func resolve<Product>(_ key: ServiceKey<Product>) throws -> Product {
    // Decided when compiled. Out of line for a factory, as for types: Resolver+Resolution.swift.
    if Self.self == Resolver.self { return try resolver.resolveOutOfLine(key) }
    guard let slot = resolver.registry.table.cachedSlot(of: KeyWords(key.declaration)) else {
      return try resolver.registry.resolveUncached(key, within: resolver.construction)
    }
    return try resolver.registry.resolve(Product.self, in: slot, within: resolver.construction)
  }

  /// Calls `body` with an instance of a declared part; a ready instance is borrowed.
  ///
  /// ```swift
  /// try container.withResolved(key: App.pool) { try $0.ping() }
  /// ```
  ///
  /// Works like ``withResolved(_:name:_:)-(_,Name?,_)``. The label keeps the errors of the compiler
  /// beside a type apart from those beside a key.
  ///
  /// - Throws: ``ResolutionError``; the error of `body`.
  /// - Complexity: O(1), plus the time of the factory.
  @inlinable
  public func withResolved<Product, Result>(
    key: ServiceKey<Product>, _ body: (Product) throws -> Result
  ) throws -> Result {
    let core = resolver.registry
    guard let slot = core.table.cachedSlot(of: KeyWords(key.declaration)) else {
      return try core.withResolvedInherited(
        Product.self, name: key.key.name, within: resolver.construction, body)
    }
    return try core.withResolved(Product.self, in: slot, within: resolver.construction, body)
  }
}

extension Resolver {
  /// Resolves a declared part, as a part of this resolution.
  @usableFromInline @inline(never)
  func resolveOutOfLine<Product>(_ key: ServiceKey<Product>) throws -> Product {
    guard let slot = registry.table.cachedSlot(of: KeyWords(key.declaration)) else {
      return try registry.resolveUncached(key, within: construction)
    }
    return try registry.resolve(Product.self, in: slot, within: construction)
  }
}

extension ContainerCore {
  /// Resolves a declared key, not found in the cache.
  @usableFromInline @inline(never)
  func resolveUncached<Product>(
    _ key: ServiceKey<Product>, within construction: ResolutionContext?
  ) throws -> Product {
    guard let slot = table.find(KeyWords(key.declaration)) else {
      return try resolveInherited(Product.self, name: key.declaration.name, within: construction)
    }
    return try resolve(Product.self, in: slot, within: construction)
  }
}
