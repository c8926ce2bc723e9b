// SPDX-License-Identifier: MIT

public import Corinth

/// Stores a product in several instances at once.
///
/// ```swift
/// try container.register(Image.self) { _ in Image() }.as { Composite([PerTenant(), Weak()]) }
/// ```
///
/// The first that has the product serves it; all of them store a new one.
///
/// ## Concurrency
/// As safe as the instances that it consists of.
public struct Composite<Product>: Instance {
  private let instances: [any Corinth.Instance<Product>]

  /// - Parameter instances: asked in this order.
  public init(_ instances: [any Corinth.Instance<Product>]) {
    self.instances = instances
  }

  /// The same with the label that Astroject's code has.
  public init(instances: [any Corinth.Instance<Product>]) {
    self.init(instances)
  }

  /// The product of the first that has it. Those that need a context, as `Corinth.Instance` has it, are passed over.
  public func get() -> Product? {
    for case let instance as any Instance<Product> in instances {
      if let product = instance.get() { return product }
    }
    return nil
  }

  /// Stores a product in all but those that need a context.
  public func set(_ product: Product) {
    for case let instance as any Instance<Product> in instances { instance.set(product) }
  }

  public func get(for context: InstanceContext) -> Product? {
    for instance in instances {
      if let product = instance.get(for: context) { return product }
    }
    return nil
  }

  public func set(_ product: Product, for context: InstanceContext) {
    for instance in instances { instance.set(product, for: context) }
  }

  public func release() {
    for instance in instances { instance.release() }
  }
}
