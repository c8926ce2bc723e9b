// SPDX-License-Identifier: MIT

public import Corinth

/// Stores a product in several instances at once.
///
/// ```swift
/// try container.register(Image.self) { _ in Image() }.as { Composite([PerTenant(), Weak()]) }
/// ```
///
/// The first instance that has the product serves the product; all instances store a new product.
///
/// ## Concurrency
/// As safe as the component instances.
public struct Composite<Product>: Instance {
  private let instances: [any CustomStorage<Product>]

  /// - Parameter instances: the component instances, asked in order.
  public init(_ instances: [any CustomStorage<Product>]) {
    self.instances = instances
  }

  /// Makes a composite, with the argument label of Astroject's code.
  public init(instances: [any CustomStorage<Product>]) {
    self.init(instances)
  }

  /// Returns the product of the first part of the composite that has a product. Parts that need a
  /// context, as a `CustomStorage` does, are passed over.
  public func get() -> Product? {
    for case let instance as any Instance<Product> in instances {
      if let product = instance.get() { return product }
    }
    return nil
  }

  /// Stores a product in every part of the composite, except for parts that need a context.
  public func set(_ product: Product) {
    for case let instance as any Instance<Product> in instances { instance.set(product) }
  }

  public func get(for context: StorageContext) -> Product? {
    for instance in instances {
      if let product = instance.get(for: context) { return product }
    }
    return nil
  }

  public func set(_ product: Product, for context: StorageContext) {
    for instance in instances { instance.set(product, for: context) }
  }

  public func release() {
    for instance in instances { instance.release() }
  }
}
