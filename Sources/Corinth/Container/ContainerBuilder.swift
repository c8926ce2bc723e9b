// SPDX-License-Identifier: MIT

/// Collects the registrations of a container whose registrations never change.
///
/// ```swift
/// let container = try ContainerBuilder()
///   .register(Logger.self, scope: .singleton) { _ in ConsoleLogger() }
///   .configure { container in
///     try container.wire(Mailer.self, scope: .singleton, with: .eager, using: SMTPMailer.init)
///   }
///   .build()
/// ```
///
/// ## Concurrency
/// Safe to use from any thread.
public struct ContainerBuilder: Sendable {
  let container: Container

  /// - Parameters:
  ///   - defaultScope: the scope of registrations that name none.
  ///   - duplicates: how a second registration of a key is treated.
  public init(
    defaultScope: Scope<any Sendable> = .transient, duplicates: DuplicatePolicy = .override
  ) {
    container = Container(defaultScope: defaultScope, duplicates: duplicates)
  }

  /// Registers a factory: ``Container/register(_:name:scope:overridable:with:file:line:factory:)-(_,_,Scope<Product>?,_,_,_,_,_)``.
  ///
  /// - Returns: the builder, for the next registration.
  /// - Throws: ``RegistrationError``.
  @discardableResult
  public func register<Product>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    with hooks: Hooks<Product>? = nil, file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver) throws -> Product
  ) throws -> ContainerBuilder {
    try container.register(
      product, name: name, scope: scope, with: hooks, file: file, line: line, factory: factory)
    return self
  }

  /// Registers an asynchronous factory:
  /// ``Container/registerAsync(_:name:scope:overridable:with:file:line:factory:)-(_,_,Scope<Product>?,_,_,_,_,_)``.
  ///
  /// - Returns: the builder, for the next registration.
  /// - Throws: ``RegistrationError``.
  @discardableResult
  public func registerAsync<Product>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    with hooks: Hooks<Product>? = nil, file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver) async throws -> sending Product
  ) throws -> ContainerBuilder {
    try container.registerAsync(
      product, name: name, scope: scope, with: hooks, file: file, line: line, factory: factory)
    return self
  }

  /// Calls `body` with the container, in which all can be done that a ``Container`` can: modules, modifiers, decorators.
  ///
  /// - Parameter body: registers.
  /// - Returns: the builder, for the next registration.
  /// - Throws: the error of `body`.
  @discardableResult
  public func configure(_ body: (Container) throws -> Void) rethrows -> ContainerBuilder {
    try body(container)
    return self
  }
}
