// SPDX-License-Identifier: MIT

/// A container as somebody would write it by hand: a dictionary in an actor.
///
/// Factories run outside of the actor. Two tasks that ask first for a singleton may both build an
/// instance; one instance is kept.
public actor ActorContainer {
  public typealias Factory<Product, Argument> =
    @Sendable (ActorContainer, Argument) async throws -> Product

  @usableFromInline var table = EntryTable()

  public init() {}

  /// Registers a factory that takes an argument, `Void` for none.
  @inlinable
  public func register<Product: Sendable, Argument: Sendable>(
    _ product: Product.Type, name: String? = nil, scope: EntryScope = .transient,
    argument: Argument.Type, factory: @escaping Factory<Product, Argument>
  ) {
    table.entries[EntryKey(product, name, argument)] = Entry<Factory<Product, Argument>, Product>(
      factory: factory, scope: scope)
  }

  @inlinable
  public func register<Product: Sendable>(
    _ product: Product.Type, name: String? = nil, scope: EntryScope = .transient,
    factory: @escaping @Sendable (ActorContainer) async throws -> Product
  ) {
    register(product, name: name, scope: scope, argument: Void.self) { container, _ in
      try await factory(container)
    }
  }

  @inlinable
  public nonisolated func resolve<Product: Sendable, Argument: Sendable>(
    _ product: Product.Type, name: String? = nil, argument: Argument
  ) async throws -> Product {
    let finding = try await find(product, name, Argument.self)
    switch finding {
    case .instance(let instance):
      return instance
    case .entry(let entry):
      let instance = try await entry.factory(self, argument)
      if entry.scope == .transient { return instance }
      return await keep(instance, in: entry)
    }
  }

  @inlinable
  public nonisolated func resolve<Product: Sendable>(
    _ product: Product.Type, name: String? = nil
  ) async throws -> Product {
    try await resolve(product, name: name, argument: ())
  }

  @inlinable
  public nonisolated func resolveIfRegistered<Product: Sendable>(
    _ product: Product.Type
  ) async -> Product? {
    try? await resolve(product)
  }

  @inlinable
  func find<Product, Argument>(
    _ product: Product.Type, _ name: String?, _ argument: Argument.Type
  ) throws -> Finding<Factory<Product, Argument>, Product> {
    try table.find(
      EntryKey(product, name, argument), product: product,
      factory: Factory<Product, Argument>.self)
  }

  @inlinable
  func keep<Product, Argument>(
    _ instance: Product, in entry: Entry<Factory<Product, Argument>, Product>
  ) -> Product {
    entry.keep(instance)
  }
}
