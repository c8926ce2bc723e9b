// SPDX-License-Identifier: MIT

/// A dependency that is resolved at first use, once, and kept.
///
/// ```swift
/// struct Checkout {
///   let invoices: Lazy<any Invoices>
///   func pay() throws { try invoices.value.issue() }
/// }
/// try container.wire(Checkout.self, using: Checkout.init)
/// ```
///
/// It resolves for each registered type, under the names of its registrations, without a registration of its own. A missing
/// registration fails at that resolve, not at first use. It breaks cycles: the instance is resolved after those
/// that hold it have been built. A use that needs itself, in a factory on the way, throws
/// ``ResolutionError/circularDependencyDetected(_:)``.
///
/// Each resolve of a `Lazy` makes one with an instance of its own; copies of it share the instance. It stays the same
/// when its registration is overridden. A ``Provider`` resolves at each call instead.
///
/// A lazy value does not keep the container alive. Once that is deallocated, the first use throws
/// ``ResolutionError/containerGone(_:)``.
///
/// ## Concurrency
/// Any number of threads and tasks may use it: exactly one resolves the instance, also of a transient, and the others wait
/// for that. After an error the next use tries again. No lock is held meanwhile.
public struct Lazy<Product> {
  private let instance: DeferredInstance

  init(_ instance: DeferredInstance) {
    self.instance = instance
  }

  /// The instance, resolved at first use.
  ///
  /// - Throws: ``ResolutionError``; ``ResolutionError/asyncResolutionRequired(_:)`` for an asynchronous product that
  ///   has not been resolved yet: use ``valueAsync``.
  /// - Complexity: O(1), and once the time of the factory.
  ///
  /// Wait-free once the instance is there. The first use waits at most for that instance's construction.
  public var value: Product {
    get throws { try instance.resolve().instance(of: Product.self) }
  }

  /// The instance, resolved at first use; of an asynchronous registration too.
  ///
  /// ```swift
  /// let pool = try await lazyPool.valueAsync
  /// ```
  ///
  /// - Throws: ``ResolutionError``.
  /// - Complexity: O(1), and once the time of the factory.
  ///
  /// As ``value``. No thread is blocked.
  nonisolated(nonsending)
    public var valueAsync: Product
  {
    get async throws { try await instance.resolveAsync().instance(of: Product.self) }
  }
}

extension Lazy: Sendable where Product: Sendable {}

extension Lazy: CustomStringConvertible {
  /// Names the product, and resolves nothing.
  public var description: String { "Lazy<\(Product.self)>" }
}
