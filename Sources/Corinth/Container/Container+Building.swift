// SPDX-License-Identifier: MIT

/// Resolves whose caller supplies a closure that builds a missing instance.
extension Container {
  /// Resolves an instance, or builds and registers it, if nothing is registered under its key.
  ///
  /// ```swift
  /// let cache = try container.resolveOrBuild(Cache.self, name: "images") { Cache(limit: limit) }
  /// ```
  ///
  /// The product of `build` becomes a singleton of this container, which is found by all that resolve the key from then on.
  /// It is built exactly once: of several calls at a time one runs its closure, and the others wait for that one. A
  /// closure that throws leaves no registration, and the next call runs its own. An existing registration, here or
  /// in a parent, is served instead. The singleton could not be built again, so it is removed when it is released,
  /// or when a decorator of its type is added or removed; forks do not have it. A closure that needs the instance
  /// which it builds gets an error, as a factory does.
  ///
  /// Every thread gets the instance: a product that is not `Sendable` has to be safe in another way.
  ///
  /// Not another `resolve`: a trailing closure would be taken for the argument of a factory.
  ///
  /// - Parameters:
  ///   - product: the type to resolve by; inferred when left out.
  ///   - name: distinguishes registrations of the same type.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - build: makes the instance. It may resolve, and is not kept.
  /// - Returns: the instance.
  /// - Throws: ``ResolutionError``, also for an error of `build`;
  ///   ``RegistrationError/containerFrozen(key:location:)``.
  /// - Complexity: O(1), plus the time of `build`.
  ///
  /// Lock-free once the instance is there. Registering it takes the container's writer lock, which is not held while
  /// `build` runs.
  @inlinable
  package func resolveOrBuild<Product>(
    _ product: Product.Type = Product.self, name: Name? = nil, file: StaticString = #fileID,
    line: UInt = #line, build: () throws -> Product
  ) throws -> Product {
    if let instance = registry.readyInstance(of: product, name: name) { return instance }
    return try registry.resolve(
      product, name: name, at: SourceLocation(file: file, line: line), within: nil
    ) { _ in try build() }
  }
}
