// SPDX-License-Identifier: MIT

/// The callers that share the instances of an entry.
public enum EntryScope: Sendable {
  case transient
  case singleton
  case weak
}

/// An entry of any product.
///
/// The mutable properties of an entry are only touched under the lock of the entry's container.
@usableFromInline
class AnyEntry: @unchecked Sendable {
  // SAFETY: nothing is stored here; see `Entry`.
  @inlinable
  init() {}
}

/// A factory, and the kept instance of the factory.
@usableFromInline
final class Entry<Factory: Sendable, Product>: AnyEntry, @unchecked Sendable {
  // SAFETY: the variables are only touched under the lock of the entry's container, which also
  // makes the run time's own checks of exclusive access superfluous.
  @usableFromInline let factory: Factory
  @usableFromInline let scope: EntryScope
  @exclusivity(unchecked) @usableFromInline var singleton: Product?
  @exclusivity(unchecked) @usableFromInline weak var object: AnyObject?

  @inlinable
  init(factory: Factory, scope: EntryScope) {
    self.factory = factory
    self.scope = scope
  }

  /// The kept instance, if present.
  @inlinable
  var instance: Product? {
    switch scope {
    case .transient: nil
    case .singleton: unsafe singleton
    case .weak: unsafe object.flatMap { $0 as? Product }
    }
  }

  /// Keeps an instance as the scope says, unless another caller was faster.
  ///
  /// - Returns: the instance to be used.
  @inlinable
  func keep(_ product: Product) -> Product {
    if let instance { return instance }
    switch scope {
    case .transient: break
    case .singleton: unsafe singleton = product
    case .weak: unsafe object = product as AnyObject
    }
    return product
  }
}
