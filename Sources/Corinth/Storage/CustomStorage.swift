// SPDX-License-Identifier: MIT

/// Stores the products of a registration, in place of the container.
///
/// ```swift
/// final class PerTenant<Product: Sendable>: CustomStorage {
///   private let products = Mutex<[String: Product]>([:])
///   func get(for context: StorageContext) -> Product? { products.withLock { $0[Tenant.current] } }
///   func set(_ product: Product, for context: StorageContext) {
///     _ = products.withLock { $0.updateValue(product, forKey: Tenant.current) }
///   }
///   func release() {
///     _ = products.withLock { products in
///       defer { products = [:] }
///       return products
///     }
///   }
/// }
/// try container.register(Session.self, with: .as(PerTenant())) { _ in Session() }
/// ```
///
/// A resolve asks ``get(for:)`` first. If the method returns `nil`, the factory runs, by a single
/// caller at a time per registration and value of the arguments, and ``set(_:for:)`` gets the
/// product.
///
/// ## Concurrency
/// Called from any thread, also by several threads at once, with no lock held. Give up a lock of
/// yours before releasing a product, as in the example: a deinit may resolve.
public protocol CustomStorage<Product>: Sendable {
  associatedtype Product

  /// The stored product, if any.
  func get(for context: StorageContext) -> Product?

  /// Stores a product that was just built.
  func set(_ product: Product, for context: StorageContext)

  /// Releases the stored products. Called by ``Container/release(_:name:arguments:)-5991f`` and
  /// ``Container/releaseAll(where:)``.
  func release()
}

extension StorageContext {
  /// A context for tests of a ``CustomStorage``.
  ///
  /// ```swift
  /// let scope = PerThread<Session>()
  /// scope.set(session, for: StorageContext())
  /// XCTAssertTrue(scope.get(for: StorageContext()) === session)
  /// ```
  ///
  /// A context does not keep the container alive.
  ///
  /// - Parameters:
  ///   - container: the container in which the product would be registered.
  ///   - resolution: the number of the resolve, which contexts may share; a new number when left
  ///     out.
  ///   - argument: the argument of the resolve, or the tuple of several arguments.
  public init(
    container: Container = Container(), resolution: UInt64? = nil, argument: Any? = nil
  ) {
    self.init(
      container.resolver,
      resolution ?? ResolutionContext.nextNumber(), argument.map { ArgumentsBox($0) })
  }

  /// The container in which the product is registered.
  ///
  /// - Throws: ``ResolutionError/containerGone(_:)``.
  public var container: Container {
    get throws { try resolver.container }
  }
}

extension AnyCustomStorage {
  init<Product>(_ storage: some CustomStorage<Product>) {
    get = { storage.get(for: $0).map { InstanceBox($0) } }
    set = { box, context in storage.set(box.instance(of: Product.self), for: context) }
    release = { storage.release() }
  }
}
