// SPDX-License-Identifier: MIT

/// A container as somebody would write it by hand: a dictionary behind a lock.
///
/// The lock is held for the lookup and never while a factory runs, so that factories may resolve.
/// Two threads that ask first for a singleton may therefore both build an instance; one instance is
/// kept.
///
/// ## Concurrency
/// Safe to use from any thread.
public final class LockedContainer<Lock: TableLock>: Sendable {
  public typealias Factory<Product, Argument> =
    @Sendable (LockedContainer, Argument) throws -> Product

  @usableFromInline let table = Lock()

  public init() {}

  /// Registers a factory that takes an argument, `Void` for none.
  @inlinable
  public func register<Product, Argument>(
    _ product: Product.Type, name: String? = nil, scope: EntryScope = .transient,
    argument: Argument.Type, factory: @escaping Factory<Product, Argument>
  ) {
    let entry = Entry<Factory<Product, Argument>, Product>(factory: factory, scope: scope)
    let key = EntryKey(product, name, argument)
    table.write { $0.entries[key] = entry }
  }

  @inlinable
  public func register<Product>(
    _ product: Product.Type, name: String? = nil, scope: EntryScope = .transient,
    factory: @escaping @Sendable (LockedContainer) throws -> Product
  ) {
    register(product, name: name, scope: scope, argument: Void.self) { container, _ in
      try factory(container)
    }
  }

  @inlinable
  public func resolve<Product, Argument>(
    _ product: Product.Type, name: String? = nil, argument: Argument
  ) throws -> Product {
    let key = EntryKey(product, name, Argument.self)
    let finding = try table.read {
      try $0.find(key, product: product, factory: Factory<Product, Argument>.self)
    }
    switch finding {
    case .instance(let instance):
      return instance
    case .entry(let entry):
      let instance = try entry.factory(self, argument)
      if entry.scope == .transient { return instance }
      return table.write { _ in entry.keep(instance) }
    }
  }

  @inlinable
  public func resolve<Product>(_ product: Product.Type, name: String? = nil) throws -> Product {
    try resolve(product, name: name, argument: ())
  }

  @inlinable
  public func resolveIfRegistered<Product>(_ product: Product.Type) -> Product? {
    try? resolve(product)
  }
}
