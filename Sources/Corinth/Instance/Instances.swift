// SPDX-License-Identifier: MIT

/// Keeps nothing: each resolve builds. For a ``Composite``; ``Scope/transient`` does the same without
/// having resolves wait for each other.
public struct Prototype<Product>: Instance {
  public init() {}

  public func get(for context: InstanceContext) -> Product? { nil }

  public func set(_ product: Product, for context: InstanceContext) {}

  public func release() {}
}

/// Keeps one product until it is released. For a ``Composite``; on its own, ``Scope/singleton`` is faster.
///
/// ## Concurrency
/// Safe to use from any thread. Lock-free.
public final class Singleton<Product>: Instance {
  private let kept = ReplaceableReference<AnyInstanceBox>()

  public init() {}

  public func get(for context: InstanceContext) -> Product? {
    kept.load()?.instance(of: Product.self)
  }

  public func set(_ product: Product, for context: InstanceContext) {
    kept.store(InstanceBox(product))
  }

  public func release() {
    kept.store(nil)
  }
}

/// Keeps one class instance for as long as somebody else keeps it alive, and nothing else. For a ``Composite``;
/// on its own, ``Scope/weak`` is faster.
///
/// ## Concurrency
/// Safe to use from any thread. Lock-free.
public final class Weak<Product>: Instance {
  private let kept = ReplaceableReference<AnyWeakBox>()

  public init() {}

  public func get(for context: InstanceContext) -> Product? {
    kept.load()?.makeStrongBox()?.instance(of: Product.self)
  }

  public func set(_ product: Product, for context: InstanceContext) {
    kept.store(try? InstanceBox(product).makeWeakBox())
  }

  public func release() {
    kept.store(nil)
  }
}
