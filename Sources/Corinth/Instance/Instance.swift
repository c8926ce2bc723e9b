// SPDX-License-Identifier: MIT

/// Stores the products of a registration, in place of the container.
///
/// ```swift
/// final class PerTenant<Product: Sendable>: Instance {
///   private let products = Mutex<[String: Product]>([:])
///   func get(for context: InstanceContext) -> Product? { products.withLock { $0[Tenant.current] } }
///   func set(_ product: Product, for context: InstanceContext) {
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
/// A resolve asks ``get(for:)`` first. If that returns `nil`, the factory runs, by one caller at a time for each
/// registration and value of the arguments, and ``set(_:for:)`` gets the product.
///
/// ## Concurrency
/// Called from any thread, also by several at once, with no lock held. A lock of yours must be given up before a product is
/// let go of, as in the example: a deinit may resolve.
public protocol Instance<Product>: Sendable {
  associatedtype Product

  /// The stored product, if any.
  func get(for context: InstanceContext) -> Product?

  /// Stores a product that was just built.
  func set(_ product: Product, for context: InstanceContext)

  /// Releases the stored products. Called by ``Container/release(_:name:arguments:)`` and ``Container/releaseAll(where:)``.
  func release()
}

extension InstanceContext {
  /// A context for tests of an ``Instance``.
  ///
  /// ```swift
  /// let scope = PerThread<Session>()
  /// scope.set(session, for: InstanceContext())
  /// XCTAssertTrue(scope.get(for: InstanceContext()) === session)
  /// ```
  ///
  /// It does not keep the container alive.
  ///
  /// - Parameters:
  ///   - container: the container that the product would be registered in.
  ///   - resolution: the number of the resolve, which contexts may share; one of its own when left out.
  ///   - argument: the argument of the resolve, or the tuple of several.
  public init(
    container: Container = Container(), resolution: UInt64? = nil, argument: Any? = nil
  ) {
    self.init(
      container.resolver,
      resolution ?? ResolutionContext.nextNumber(), argument.map { ArgumentsBox($0) })
  }

  /// The container that the product is registered in.
  ///
  /// - Throws: ``ResolutionError/containerGone(_:)``.
  public var container: Container {
    get throws { try resolver.container }
  }
}

extension CustomInstance {
  init<Product>(_ instance: some Instance<Product>) {
    get = { instance.get(for: $0).map { InstanceBox($0) } }
    set = { box, context in instance.set(box.instance(of: Product.self), for: context) }
    release = { instance.release() }
  }
}
