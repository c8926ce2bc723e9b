// SPDX-License-Identifier: MIT

/// The lifecycle actions and settings of a registration's instances, given with the factory in a
/// single step.
///
/// ```swift
/// try container.register(
///   (any Pool).self, scope: .singleton,
///   with: .afterInit { resolver, pool in try pool.warm(resolver.resolve()) }
///     .onDispose { try $0.close() }
/// ) { resolver in try PostgresPool(resolver.resolve()) }
/// ```
///
/// Every member is the modifier of ``Registration`` with the member's name, and takes the
/// modifier's arguments. A registration that has its options from the start cannot be seen without
/// the options: between `register` and a chained modifier, a resolve of another thread may build an
/// instance without the action that the modifier adds.
///
/// Members are chained, and add up in their order. Modifiers chained to the registration come after
/// the members. If options contradict the scope, `register` itself throws, and nothing is
/// registered.
///
/// Options that a product always needs can be given a name:
///
/// ```swift
/// extension RegistrationOptions where Product == any Pool {
///   static var closing: Self { .onDispose { try $0.close() } }
/// }
/// try container.register((any Pool).self, scope: .singleton, with: .closing) { _ in
///   try PostgresPool()
/// }
/// ```
///
/// An additionally served type is a registration of its own, and is chained:
/// ``Registration/implements(_:)``.
///
/// ## Concurrency
/// A value, safe to use from any thread. Takes no lock.
public struct RegistrationOptions<Product>: Sendable {
  let changes: [AttributeChange]

  /// No options: the start of a chain.
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
