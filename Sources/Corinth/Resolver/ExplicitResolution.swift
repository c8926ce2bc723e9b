// SPDX-License-Identifier: MIT

/// A resolution: a call to `resolve` with all nested resolves, or a block of a caller's own.
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
/// Until its end, a resolution keeps the instances of graph registrations, and the instances
/// published into the resolution. A cycle of two objects that share a resolution closes when the
/// first object is published before the second object is resolved.
///
/// ## Concurrency
/// Safe to use from any thread, and to store. An ended resolution has no instances.
public struct Resolution: Resolving {
  let registry: ContainerCore
  let context: ResolutionContext

  init(_ registry: ContainerCore, _ context: ResolutionContext) {
    self.registry = registry
    self.context = context
  }

  /// Resolves as a part of this resolution.
  public var resolver: Resolver { Resolver(registry: registry, construction: context) }

  /// The number of the resolution: common to all resolves that join, and unique to this resolution.
  public var id: UInt64 { context.root.number }

  /// Returns the instance that the resolution has under a key; `nil` if no instance is present yet,
  /// or the instance is not complete.
  ///
  /// ```swift
  /// if let order = resolution.instance(of: Order.self) { return order }
  /// ```
  ///
  /// A published instance comes first, then the instance of a graph registration. Builds nothing.
  ///
  /// - Complexity: O(*n*) in the number of instances published into the resolution.
  ///
  /// Lock-free.
  public func instance<Product>(
    of product: Product.Type = Product.self, name: Name? = nil
  ) -> Product? {
    context.instance(of: product, name: name, in: registry)
  }

  /// Has the resolution keep an instance, and use the instance for a key.
  ///
  /// ``instance(of:name:)`` finds the instance. So do the resolves that are a part of this
  /// resolution, in place of the graph registration of the key, also while the graph registration's
  /// factory runs; registrations in any other scope ignore the instance. Published again, a key has
  /// the newer instance.
  ///
  /// The instance may be incomplete: only this resolution finds the instance. The type of the key
  /// is the instance's static type when left out.
  ///
  /// - Returns: `false` if the resolution has ended; an ended resolution keeps nothing.
  /// - Complexity: O(*n*) in the number of instances published into the resolution.
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
  /// Runs `body` in the present resolution of the calling thread or task, or else in a new
  /// resolution, which ends with `body`.
  ///
  /// ```swift
  /// let pair = try container.withResolution { resolution in
  ///   (try resolution.resolver.resolve(Left.self), try resolution.resolver.resolve(Right.self))
  /// }
  /// ```
  ///
  /// All resolves through ``Resolution/resolver`` share the instances of graph registrations. Calls
  /// of `resolve` on the container itself stay resolutions of their own. In the factory of a
  /// transient, a resolution to join exists only once the container tree has a graph registration;
  /// otherwise this call begins a resolution.
  ///
  /// - Complexity: O(1), plus the time of `body`. The end releases the instances of the resolution.
  ///
  /// Lock-free.
  public func withResolution<Result>(
    _ body: (Resolution) throws -> Result
  ) rethrows -> Result {
    let resolver = resolver
    return try ResolutionContext.run(
      in: resolver.registry, requestedBy: resolver.construction
    ) { context in
      try body(Resolution(resolver.registry, context))
    }
  }
}

extension Resolver {
  /// The object whose injected property is being resolved; `nil` for any other resolve.
  ///
  /// ```swift
  /// try container.register(Logger.self) { resolver in
  ///   Logger(category: resolver.enclosingObject.map { "\(type(of: $0))" } ?? "general")
  /// }
  /// ```
  ///
  /// Available to all factories of the property's resolve. Factories of shared instances should not
  /// use the object, which merely happens to come first. Nothing retains the object beyond the
  /// resolve, not even a stored resolver, which then returns `nil`.
  ///
  /// Lock-free.
  public var enclosingObject: AnyObject? { construction?.enclosingObject }
}
