// SPDX-License-Identifier: MIT

/// A resolution: one call to `resolve` and all resolves nested in it, or a block of a caller's own.
///
/// ```swift
/// let order = try container.withResolution { resolution in
///   let order = Order()
///   resolution.publish(order)                                     // found by those resolved next
///   order.invoice = try resolution.resolver.resolve(Invoice.self)  // whose factory resolves Order
///   return order
/// }
/// ```
///
/// It keeps the instances of graph registrations, and those that are published into it, until it ends. A cycle of two
/// objects that share a resolution closes when one of them is published before the other is resolved.
///
/// ## Concurrency
/// Safe to use from any thread, and to store. Once the resolution has ended, it has no instances.
public struct Resolution: Resolving {
  let registry: ContainerCore
  let context: ResolutionContext

  init(_ registry: ContainerCore, _ context: ResolutionContext) {
    self.registry = registry
    self.context = context
  }

  /// Resolves as a part of this resolution.
  public var resolver: Resolver { Resolver(registry: registry, construction: context) }

  /// The number of the resolution: the same for all that join it, and never that of another one.
  public var id: UInt64 { context.root.number }

  /// The instance that the resolution has under a key; `nil` if there is none yet, or it is not complete.
  ///
  /// ```swift
  /// if let order = resolution.instance(of: Order.self) { return order }
  /// ```
  ///
  /// It is one that was published, or else that of a graph registration. Builds nothing.
  ///
  /// - Complexity: O(log *n*) in the number of instances that the resolution has.
  ///
  /// Lock-free.
  public func instance<Product>(
    of product: Product.Type = Product.self, name: Name? = nil
  ) -> Product? {
    registry.instance(of: product, name: name, in: context)
  }

  /// Has the resolution keep an instance, and use it for a key.
  ///
  /// ``instance(of:name:)`` finds it. So do the resolves that are a part of this resolution, in place of the graph
  /// registration of the key, also while that one's factory runs; other scopes ignore it. Published again, a key has the
  /// newer instance.
  ///
  /// The instance may be incomplete: only this resolution finds it. The type of the key is its static type when left out.
  ///
  /// - Returns: `false` if the resolution has ended, which keeps nothing any more.
  /// - Complexity: O(log *n*) in the number of instances that the resolution has.
  ///
  /// Lock-free.
  @discardableResult
  public func publish<Product>(
    _ instance: Product, as product: Product.Type = Product.self, name: Name? = nil
  ) -> Bool {
    context.publish(
      boxClass(of: product).init(instance), as: RegistrationKey(product: product, name: name),
      in: registry)
  }
}

extension Resolving {
  /// Runs `body` in the resolution that the calling thread or task runs, or else in a new one, which ends with it.
  ///
  /// ```swift
  /// let pair = try container.withResolution { resolution in
  ///   (try resolution.resolver.resolve(Left.self), try resolution.resolver.resolve(Right.self))
  /// }
  /// ```
  ///
  /// All resolves through ``Resolution/resolver`` share the instances of graph registrations. Calls of `resolve` on the
  /// container itself stay resolutions of their own. In the factory of a transient there is a resolution to join only once
  /// the container tree has a graph registration; otherwise this begins one.
  ///
  /// - Complexity: O(1), plus the time of `body`. The end releases the instances that the resolution has.
  ///
  /// Lock-free.
  public func withResolution<Result>(
    _ body: (Resolution) throws -> Result
  ) rethrows -> Result {
    let resolver = resolver
    return try resolver.registry.withResolution(requestedBy: resolver.construction) { context in
      try body(Resolution(resolver.registry, context))
    }
  }
}

extension Resolver {
  /// The object whose injected property is being resolved; `nil` for other resolves.
  ///
  /// ```swift
  /// try container.register(Logger.self) { resolver in
  ///   Logger(category: resolver.enclosingObject.map { "\(type(of: $0))" } ?? "general")
  /// }
  /// ```
  ///
  /// Available to all factories of that resolve. Those of shared instances should not use it: the object is the one that
  /// happens to come first. Nothing retains it beyond the resolve, not even a stored resolver, which then returns
  /// `nil`.
  ///
  /// Lock-free.
  public var enclosingObject: AnyObject? { construction?.enclosingObject }
}
