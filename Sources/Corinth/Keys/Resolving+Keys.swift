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
    guard let slot = resolver.registry.table.cachedSlot(of: KeyWords(key.declaration)) else {
      return try resolver.registry.resolveUncached(key, within: resolver.construction)
    }
    return try resolver.registry.resolve(Product.self, in: slot, within: resolver.construction)
  }
}

// Out of line, as for types: see Resolver+Resolution.swift.
extension Resolver {
  /// Resolves a declared part: ``Resolving/resolve(_:)-(ServiceKey<Product>)``, as a part of this
  /// resolution.
  ///
  /// - Throws: ``ResolutionError``.
  @_disfavoredOverload
  @inline(never)
  public func resolve<Product>(_ key: ServiceKey<Product>) throws -> Product {
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
