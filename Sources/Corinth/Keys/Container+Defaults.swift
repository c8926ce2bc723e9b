// SPDX-License-Identifier: MIT

extension Container {
  /// Resolves an instance; registers `build` first, as the default of the key, if nothing is
  /// registered under the key. For the compatibility modules.
  ///
  /// The default is an ordinary registration of this container, with the factory of the first call:
  /// children, later calls and all other resolves find the default, and later calls ignore their
  /// own factories. So a singleton is built exactly once, whatever the number of threads that call,
  /// and a factory that throws runs again at the next resolve. An existing registration, here or
  /// in a parent, is served instead, and a later registration takes the default's place under any
  /// policy.
  ///
  /// The container keeps the factory: take the resolver, as a captured container would keep itself
  /// alive.
  ///
  /// Every thread gets a shared instance: a product that is not `Sendable` has to be safe in
  /// another way.
  ///
  /// The name differs from `resolve`: a trailing closure would be taken for the argument of a
  /// factory.
  ///
  /// - Parameters:
  ///   - scope: the scope of the default; singleton when left out.
  ///   - build: the factory of the default.
  /// - Throws: ``ResolutionError``, also for an error of the factory.
  ///
  /// Inlined for a ready singleton. A `build` with captured values is allocated at each call.
  ///
  /// Lock-free once the default is registered. Registering takes the container's writer lock, which
  /// is not held while `build` runs.
  @inlinable
  package func resolveOrBuild<Product>(
    _ product: Product.Type = Product.self, name: Name? = nil, scope: AnyScope? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    build: @escaping @Sendable (Resolver) throws -> Product
  ) throws -> Product {
    if let instance = registry.readyInstance(of: product, name: name) { return instance }
    return try registry.resolve(
      product, name: name, scope: scope, at: SourceLocation(file: file, line: line),
      orByDefault: build)
  }
}
