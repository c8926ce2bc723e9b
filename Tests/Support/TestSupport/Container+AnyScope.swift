// SPDX-License-Identifier: MIT

package import Corinth

/// Registrations in a scope that a test varies, for any product.
extension Container {
  @_disfavoredOverload
  @discardableResult
  package func register<Product>(
    _ product: Product.Type, name: Name? = nil, scope: AnyScope,
    onDuplicate: DuplicatePolicy? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver) throws -> Product
  ) throws -> Registration<Product> {
    try register(
      product, name: name, scope: Scope(scope), onDuplicate: onDuplicate, file: file, line: line,
      factory: factory)
  }

  @_disfavoredOverload
  @discardableResult
  package func register<Product, Argument>(
    _ product: Product.Type, name: Name? = nil, scope: AnyScope,
    onDuplicate: DuplicatePolicy? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, Argument) throws -> Product
  ) throws -> Registration<Product> {
    try register(
      product, name: name, scope: Scope(scope), onDuplicate: onDuplicate, file: file, line: line,
      factory: factory)
  }

  @_disfavoredOverload
  @discardableResult
  package func registerAsync<Product>(
    _ product: Product.Type, name: Name? = nil, scope: AnyScope,
    onDuplicate: DuplicatePolicy? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver) async throws -> sending Product
  ) throws -> Registration<Product> {
    try registerAsync(
      product, name: name, scope: Scope(scope), onDuplicate: onDuplicate, file: file, line: line,
      factory: factory)
  }

  @_disfavoredOverload
  @discardableResult
  package func registerAsync<Product, Argument>(
    _ product: Product.Type, name: Name? = nil, scope: AnyScope,
    onDuplicate: DuplicatePolicy? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory:
      @escaping @Sendable (Resolver, Argument) async throws -> sending Product
  ) throws -> Registration<Product> {
    try registerAsync(
      product, name: name, scope: Scope(scope), onDuplicate: onDuplicate, file: file, line: line,
      factory: factory)
  }
}

extension Registration {
  @_disfavoredOverload
  @discardableResult
  package func `as`(_ scope: AnyScope) -> Self {
    self.as(Scope(scope))
  }
}
