// SPDX-License-Identifier: MIT

public import Corinth

/// The type to which modifiers are chained: a `Registration`. An extension of this type can name a
/// combination of modifiers.
///
/// ```swift
/// extension Registrable where Product: Sendable {
///   @discardableResult
///   func perTenant() -> Self { self.as(PerTenant()) }
/// }
/// try container.register(Session.self) { _ in Session() }.perTenant()
/// ```
///
/// Modifiers that Astroject did not have belong to `Registration`: an extension of `Registration`
/// can use all modifiers.
///
/// ## Concurrency
/// Safe to use from any thread, as `Registration` is. Every modifier takes the container's writer
/// lock.
public protocol Registrable<Product>: Sendable {
  associatedtype Product

  /// Gives the registration a scope.
  @discardableResult
  func `as`(_ scope: Scope<Product>) -> Self

  /// Has an `Instance` store the product.
  @discardableResult
  func `as`(_ instance: some CustomStorage<Product>) -> Self

  /// Adds an action that runs with every new instance, before other resolves get the instance.
  @discardableResult
  func afterInit(perform action: @escaping @Sendable (Resolver, Product) throws -> Void) -> Self

  /// Adds an asynchronous action that runs with every new instance, before other resolves get the
  /// instance.
  @discardableResult
  func afterInit(
    perform action: @escaping @Sendable (Resolver, Product) async throws -> Void
  ) -> Self
}

extension Registration: Registrable {}

extension Registrable {
  /// Has an `Instance` that the closure returns store the product. The closure is called once.
  ///
  /// ```swift
  /// try container.register(Image.self) { _ in Image() }.as { Composite([PerTenant(), Weak()]) }
  /// ```
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func `as`(_ instance: () -> some CustomStorage<Product>) -> Self {
    self.as(instance())
  }
}
