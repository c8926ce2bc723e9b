// SPDX-License-Identifier: MIT

/// `lifetime:`, the word of other libraries for `scope:`.
extension Container {
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "the lifetime of instances is the scope: write scope:")
  @discardableResult
  public func register<Product, each Argument>(
    _ product: Product.Type, name: Name? = nil, lifetime: Scope<Product>,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> Product
  ) throws -> Registration<Product> { neverRegistered() }

  @_documentation(visibility: internal)
  @available(*, unavailable, message: "the lifetime of instances is the scope: write scope:")
  @discardableResult
  public func registerAsync<Product, each Argument>(
    _ product: Product.Type, name: Name? = nil, lifetime: Scope<Product>,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    factory: @escaping @Sendable (Resolver, repeat each Argument) async throws -> Product
  ) throws -> Registration<Product> { neverRegistered() }

  @_documentation(visibility: internal)
  @available(*, unavailable, message: "the lifetime of instances is the scope: write scope:")
  @discardableResult
  public func contribute<Element>(
    to element: Element.Type, name: Name? = nil, lifetime: Scope<Element>,
    with options: RegistrationOptions<Element>? = nil,
    factory: @escaping @Sendable (Resolver) throws -> Element
  ) throws -> Registration<Element> { neverRegistered() }

  @_documentation(visibility: internal)
  @available(*, unavailable, message: "the lifetime of instances is the scope: write scope:")
  @discardableResult
  public func wire<Product, each Parameter>(
    _ product: Product.Type, name: Name? = nil, lifetime: Scope<Product>,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    using initializer:
      @autoclosure () -> (@Sendable (repeat each Parameter) async throws -> Product)
  ) throws -> Registration<Product> { neverRegistered() }

  private func neverRegistered() -> Never {
    preconditionFailure("Container.register: the lifetime of instances is the scope: write scope:")
  }
}
