// SPDX-License-Identifier: MIT

/// The lifecycle actions and settings of a registration's instances, given with its factory in one step.
///
/// ```swift
/// try container.register(
///   (any Pool).self, scope: .singleton,
///   with: .afterInit { resolver, pool in try pool.warm(resolver.resolve()) }.onDispose { try $0.close() }
/// ) { resolver in try PostgresPool(resolver.resolve()) }
/// ```
///
/// Each member is the modifier of ``Registration`` that has its name, and takes the same arguments. A registration
/// that has its hooks from the first on cannot be seen without them: a resolve of another thread may build an
/// instance between `register` and a chained modifier, and such an instance has been built without the hook
/// that the modifier adds.
///
/// Members are chained, and add up in their order. Modifiers that are chained to the registration come after them.
/// If hooks contradict the scope, `register` itself throws, and nothing is registered.
///
/// Hooks that a product always needs can be given a name:
///
/// ```swift
/// extension Hooks where Product == any Pool {
///   static var closing: Self { .onDispose { try $0.close() } }
/// }
/// try container.register((any Pool).self, scope: .singleton, with: .closing) { _ in try PostgresPool() }
/// ```
///
/// A type that is served too is another registration, and is chained: ``Registration/implements(_:)``.
///
/// ## Concurrency
/// A value, safe to use from any thread. It takes no lock.
public struct Hooks<Product>: Sendable {
  let changes: [AttributeChange]

  /// No hooks: the start of a chain.
  init() {
    changes = []
  }

  private init(_ changes: [AttributeChange]) {
    self.changes = changes
  }

  func adding(_ change: @escaping @Sendable (inout RegistrationAttributes) -> Void) -> Self {
    Self(changes + [.attributes(change)])
  }

  func adding(_ disposer: Disposer) -> Self {
    Self(changes + [.disposer(disposer)])
  }
}
