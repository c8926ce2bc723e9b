// SPDX-License-Identifier: MIT

/// A container whose registrations never change. A ``ContainerBuilder`` makes it.
///
/// ```swift
/// let container = try ContainerBuilder()
///   .register(Logger.self, scope: .singleton) { _ in ConsoleLogger() }
///   .register(Service.self) { Service(logger: try $0.resolve()) }
///   .build()
/// let service = try container.resolve(Service.self)
/// ```
///
/// It has no operation that registers, overrides or removes. A ready singleton is found without the bookkeeping
/// that lets other containers destroy replaced objects: see <doc:Performance>. In return it keeps its singletons
/// until it is deallocated, also after its shutdown.
///
/// Scopes, children and forks of it are ordinary containers, where more can be registered.
///
/// ## Concurrency
/// Every operation is safe from any thread or task at any time. Resolving a ready singleton is wait-free.
public final class FrozenContainer: Sendable {
  @usableFromInline let registry: ContainerCore
  /// All else is done by the container that it was built from, which is frozen for good.
  @usableFromInline let container: Container

  init(freezing container: Container) {
    container.registry.freeze(.forGood)
    self.container = container
    registry = container.registry
  }

  /// Resolves an instance by its type: ``Container/resolve(_:)``.
  ///
  /// - Complexity: O(1), plus the time of the factory.
  ///
  /// Wait-free for a ready singleton; otherwise as ``Container/resolve(_:)``.
  @inlinable @inline(__always)
  public func resolve<Product>(_ product: Product.Type = Product.self) throws -> Product {
    // Its instances live as long as the container.
    defer { withExtendedLifetime(self) {} }
    guard let slot = registry.slot(ofType: identity(of: product)) else {
      return try registry.resolveInherited(product, name: nil, within: nil)
    }
    if let instance = registry.frozenInstance(of: product, in: slot) { return instance }
    return try registry.resolve(product, in: slot, within: nil)
  }

  /// Resolves an instance by its type and a name: ``Container/resolve(_:name:)-(_,Name)``.
  ///
  /// As ``resolve(_:)``.
  @inlinable @inline(__always)
  public func resolve<Product>(
    _ product: Product.Type = Product.self, name: borrowing Name
  ) throws -> Product {
    defer { withExtendedLifetime(self) {} }
    guard let slot = registry.slot(of: product, name: NameBits(name)) else {
      return try registry.resolveInherited(product, name: copy name, within: nil)
    }
    if let instance = registry.frozenInstance(of: product, in: slot) { return instance }
    return try registry.resolve(product, in: slot, within: nil)
  }

  /// Resolves an instance by its type and a name that may be missing.
  @inlinable
  public func resolve<Product>(
    _ product: Product.Type = Product.self, name: Name?
  ) throws -> Product {
    if let name { return try resolve(product, name: name) }
    return try resolve(product)
  }

  /// Resolves an instance whose factory takes arguments: ``Container/resolve(_:name:arguments:_:)``.
  @inlinable
  public func resolve<Product, First, each Rest>(
    _ product: Product.Type = Product.self, name: Name? = nil, arguments first: First,
    _ rest: repeat each Rest
  ) throws -> Product {
    try registry.resolve(product, name: name, arguments: (first, repeat each rest), within: nil)
  }

  /// Resolves an instance by its type and, if given, a name; an asynchronous registration too:
  /// ``Container/resolveAsync(_:name:)``.
  @inlinable @inline(__always)
  nonisolated(nonsending)
    public func resolveAsync<Product>(
      _ product: Product.Type = Product.self, name: Name? = nil
    ) async throws -> Product
  {
    if let instance = registry.readyInstance(of: product, name: name) { return instance }
    return try await registry.resolveAsync(product, name: name, within: nil)
  }

  /// Resolves an instance whose factory takes arguments, an asynchronous one too:
  /// ``Container/resolveAsync(_:name:arguments:_:)``.
  nonisolated(nonsending)
    public func resolveAsync<Product, First, each Rest>(
      _ product: Product.Type = Product.self, name: Name? = nil, arguments first: First,
      _ rest: repeat each Rest
    ) async throws -> Product
  {
    try await registry.resolveAsync(
      product, name: name, arguments: (first, repeat each rest), within: nil)
  }
}

extension ContainerCore {
  /// The ready instance in a slot of a container that is frozen for good; `nil` if there is none.
  @inlinable @inline(__always)
  func frozenInstance<Product>(of product: Product.Type, in slot: SlotReference) -> Product? {
    let word = slot.load()
    guard word.isReady else { return nil }
    // SAFETY: nothing that a slot of such a container has held is released before the core, which the caller holds; so no
    // section is needed. The slot's key is of this product.
    return unsafe word.box(of: product)._withUnsafeGuaranteedRef { $0.instance }
  }
}
