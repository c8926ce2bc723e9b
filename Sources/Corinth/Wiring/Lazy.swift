// SPDX-License-Identifier: MIT

/// A dependency that is resolved at the first use, once, and kept.
///
/// ```swift
/// struct Checkout {
///   let invoices: Lazy<any Invoices>
///   func pay() throws { try invoices.value.issue() }
/// }
/// try container.wire(Checkout.self, using: Checkout.init)
/// ```
///
/// A `Lazy` resolves for every registered type, under the names of the type's registrations,
/// without a registration of its own. A missing registration fails when the `Lazy` is resolved, not
/// at the first use. A `Lazy` breaks cycles: the instance is resolved after the holders have been
/// built. A use that needs itself, in a factory on the way, throws
/// ``ResolutionError/circularDependencyDetected(_:)``.
///
/// Every resolve of a `Lazy` makes a lazy value with an instance of its own; copies share the
/// instance. The instance stays when its registration is overridden. A ``Provider`` resolves at
/// every call instead.
///
/// A lazy value does not keep the container alive. Once the container is deallocated, the first use
/// throws ``ResolutionError/containerGone(_:)``.
///
/// ## Concurrency
/// Any number of threads and tasks may use a lazy value: exactly one user resolves the instance,
/// also of a transient, and the rest wait. After an error the next use tries again. No lock is held
/// meanwhile.
public struct Lazy<Product> {
  private let instance: DeferredInstance

  init(_ instance: DeferredInstance) {
    self.instance = instance
  }

  /// The instance, resolved at the first use.
  ///
  /// - Throws: ``ResolutionError``; ``ResolutionError/asyncResolutionRequired(_:)`` for an
  ///   asynchronous product that has not been resolved yet: use ``valueAsync``.
  /// - Complexity: O(1), and once the time of the factory.
  ///
  /// Wait-free once the instance is resolved. The first use waits at most for the instance's
  /// construction.
  public var value: Product {
    get throws { try instance.resolve().instance(of: Product.self) }
  }

  /// The instance, resolved at the first use; also of an asynchronous registration.
  ///
  /// ```swift
  /// let pool = try await lazyPool.valueAsync
  /// ```
  ///
  /// - Throws: ``ResolutionError``.
  /// - Complexity: O(1), and once the time of the factory.
  ///
  /// Works like ``value``. No thread is blocked.
  nonisolated(nonsending)
    public var valueAsync: Product
  {
    get async throws { try await instance.resolveAsync().instance(of: Product.self) }
  }
}

extension Provider {
  /// A value that resolves the provider's key at its first use, once.
  ///
  /// ```swift
  /// let mailer = try resolver.provider(for: App.mailer).lazy
  /// ```
  ///
  /// As a `Lazy` that the container resolves, which has no form for a ``ServiceKey``.
  public var lazy: Lazy<Product> {
    let name = slot.name
    DeferredDependencies.note(in: registry)
    return Lazy(
      DeferredInstance(
        RegistrationKey(product: Lazy<Product>.self, name: name),
        resolving: RegistrationKey(product: Product.self, name: name), in: registry))
  }
}

extension Lazy: Sendable where Product: Sendable {}

extension Lazy: CustomStringConvertible {
  /// Names the product, and resolves nothing.
  public var description: String { "Lazy<\(Product.self)>" }
}
