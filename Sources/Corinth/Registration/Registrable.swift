// SPDX-License-Identifier: MIT

/// The type that modifiers are chained to: a ``Registration``. Extend it to give a combination of modifiers a name.
///
/// ```swift
/// extension Registrable where Product: Sendable {
///   @discardableResult
///   func perTenant() -> Self { self.as(PerTenant()) }
/// }
/// try container.register(Session.self) { _ in Session() }.perTenant()
/// ```
///
/// ## Concurrency
/// Safe to use from any thread, as ``Registration`` is. Each modifier takes the container's writer lock.
public protocol Registrable<Product>: Sendable {
  associatedtype Product

  /// Gives the registration a scope.
  @discardableResult
  func `as`(_ scope: Scope<Product>) -> Self

  /// Has an ``Instance`` store the product.
  @discardableResult
  func `as`(_ instance: some Instance<Product>) -> Self

  /// Has the ``Instance`` that the closure returns store the product.
  @discardableResult
  func `as`(_ instance: () -> some Instance<Product>) -> Self

  /// Adds an action that runs with each new instance, before other resolves get it.
  @discardableResult
  func afterInit(perform action: @escaping @Sendable (Resolver, Product) throws -> Void) -> Self

  /// Adds an asynchronous action that runs with each new instance, before other resolves get it.
  @discardableResult
  func afterInit(
    perform action: @escaping @Sendable (Resolver, Product) async throws -> Void
  ) -> Self

  /// Adds an action that runs with an instance when the container that stores it closes.
  @discardableResult
  func onDispose(perform action: @escaping @Sendable (Product) throws -> Void) -> Self

  /// Adds an asynchronous action that runs with an instance when the container that stores it closes.
  @discardableResult
  func onDispose(perform action: @escaping @Sendable (Product) async throws -> Void) -> Self

  /// Adds an action that depends on how the work in the scope has ended.
  @discardableResult
  func onDispose(
    perform action: @escaping @Sendable (Product, ScopeOutcome) throws -> Void
  ) -> Self

  /// Adds an asynchronous action that depends on how the work in the scope has ended.
  @discardableResult
  func onDispose(
    perform action: @escaping @Sendable (Product, ScopeOutcome) async throws -> Void
  ) -> Self

  /// Has `warmUp()` build the instance, instead of the first resolve.
  @discardableResult
  func eager() -> Self

  /// Serves the same instances under another type too.
  @discardableResult
  func implements<Other>(_ other: Other.Type) -> Self
}
