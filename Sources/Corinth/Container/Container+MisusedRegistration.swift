// SPDX-License-Identifier: MIT

/// Closures that ``Container/register(_:name:scope:onDuplicate:with:file:line:factory:)`` cannot
/// take: the compiler's message names the form to write instead.
extension Container {
  /// Says that an asynchronous factory is registered with `registerAsync`.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "an asynchronous factory is registered with registerAsync")
  @discardableResult
  public func register<Product>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver) async throws -> Product
  ) throws -> Registration<Product> { neverRegistered() }

  /// Says that an asynchronous factory with arguments is registered with `registerAsync`.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "an asynchronous factory is registered with registerAsync")
  @discardableResult
  public func register<Product, A1>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1) async throws -> Product
  ) throws -> Registration<Product> { neverRegistered() }

  @_documentation(visibility: internal)
  @available(*, unavailable, message: "an asynchronous factory is registered with registerAsync")
  @discardableResult
  public func register<Product, A1, A2>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1, A2) async throws -> Product
  ) throws -> Registration<Product> { neverRegistered() }

  @_documentation(visibility: internal)
  @available(*, unavailable, message: "an asynchronous factory is registered with registerAsync")
  @discardableResult
  public func register<Product, A1, A2, A3>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1, A2, A3) async throws -> Product
  ) throws -> Registration<Product> { neverRegistered() }

  @_documentation(visibility: internal)
  @available(*, unavailable, message: "an asynchronous factory is registered with registerAsync")
  @discardableResult
  public func register<Product, A1, A2, A3, A4>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1, A2, A3, A4) async throws -> Product
  ) throws -> Registration<Product> { neverRegistered() }

  /// Registers a factory of the main actor, which is asynchronous for all callers outside.
  ///
  /// The isolation distinguishes this function from the overload for other factories, and is to be
  /// left out.
  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message: "only for a factory of the main actor, which is asynchronous: say registerAsync"
  )
  @discardableResult
  public func register<Product>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    isolation: MainActor.Type = MainActor.self,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @MainActor @Sendable (Resolver) throws -> sending Product
  ) throws -> Registration<Product> {
    try registerAsync(
      product, name: name, scope: scope, onDuplicate: onDuplicate, with: options, file: file,
      line: line
    ) { resolver in try await factory(resolver) }
  }

  private func neverRegistered() -> Never {
    preconditionFailure(
      "Container.register: an asynchronous factory is registered with registerAsync")
  }
}
