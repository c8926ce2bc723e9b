// SPDX-License-Identifier: MIT

/// Stores nothing: each resolve builds. For a ``Composite``; ``Scope/transient`` does the same without
/// waits between resolves.
public struct Prototype<Product>: Instance {
  public init() {}

  public func get(for context: InstanceContext) -> Product? { nil }

  public func set(_ product: Product, for context: InstanceContext) {}

  public func release() {}
}

/// Stores one product until it is released. For a ``Composite``; on its own, ``Scope/singleton`` is faster.
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

/// Refers weakly to one class instance, for as long as it is in use elsewhere. For a ``Composite``;
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
