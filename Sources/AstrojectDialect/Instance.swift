// SPDX-License-Identifier: MIT

public import Corinth

/// Stores the products of a registration, in place of the container. Called without a context, as
/// in Astroject.
///
/// ```swift
/// final class ExampleInstance: Instance {
///   private let product = Mutex<Int?>(nil)
///   func get() -> Int? { product.withLock { $0 } }
///   func set(_ product: Int) { self.product.withLock { $0 = product } }
///   func release() { product.withLock { $0 = nil } }
/// }
/// try container.register(Int.self) { _ in 42 }.as(ExampleInstance())
/// ```
///
/// An instance that stores products by the container, the resolve or the arguments conforms to
/// `CustomStorage`, whose functions get a context.
///
/// ## Concurrency
/// Called from any thread, also by several threads at once, with no lock held.
public protocol Instance<Product>: CustomStorage {
  associatedtype Product

  /// The stored product, if any.
  func get() -> Product?

  /// Stores a newly built product.
  func set(_ product: Product)
}

extension Instance {
  public func get(for context: StorageContext) -> Product? { get() }

  public func set(_ product: Product, for context: StorageContext) { set(product) }
}
