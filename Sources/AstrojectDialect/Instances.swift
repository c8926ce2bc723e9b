// SPDX-License-Identifier: MIT

internal import DialectSupport

/// Stores nothing: every resolve builds. For a ``Composite``; `Scope.transient` does so without
/// waits between resolves.
public struct Prototype<Product>: Instance {
  public init() {}

  public func get() -> Product? { nil }

  public func set(_ product: Product) {}

  public func release() {}
}

/// Stores the first product, until the registration ends or gets a different scope. For a
/// ``Composite``; alone, `Scope.singleton` is faster, and can be released.
///
/// ## Concurrency
/// Safe to use from any thread. Lock-free.
public final class Singleton<Product>: Instance {
  private let stored = SharedValue<Product?>(nil)

  public init() {}

  public func get() -> Product? { stored.value }

  /// Stores the product, if no product is stored.
  public func set(_ product: Product) {
    stored.update { stored in
      if stored == nil { stored = product }
    }
  }

  /// Does nothing, as in Astroject.
  public func release() {}
}

/// Refers weakly to a class instance, for as long as the instance is in use elsewhere. For a
/// ``Composite``; alone, `Scope.weak` is faster. Products of value types are not stored.
///
/// ## Concurrency
/// Safe to use from any thread. Lock-free.
public final class Weak<Product>: Instance {
  private struct Reference {
    weak var object: AnyObject?
  }

  private let stored = SharedValue(Reference())

  public init() {}

  public func get() -> Product? { stored.value.object as? Product }

  public func set(_ product: Product) { stored.value = Reference(object: object(of: product)) }

  public func release() { stored.value = Reference() }
}
