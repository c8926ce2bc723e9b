// SPDX-License-Identifier: MIT

extension Registration {
  /// Builds a new instance for each resolve, as ``Scope/transient`` does.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asPrototype() -> Self {
    adjust { attributes in
      attributes.scope = .transient
      attributes.isEager = false
      attributes.lifecycle.disposers = []
      attributes.lifecycle.customInstance = nil
    }
    return self
  }

  /// Shares one instance, built once by the first resolve: ``Scope/singleton``.
  ///
  /// - Throws: ``RegistrationError/scopeRefusesArguments(key:scope:location:)``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asSingleton() throws -> Self {
    try self.as(.singleton)
  }

  /// Shares an instance for as long as it is in use elsewhere: ``Scope/weak``.
  ///
  /// - Throws: ``RegistrationError/weakRequiresClass(key:location:)``,
  ///   ``RegistrationError/scopeRefusesArguments(key:scope:location:)``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asWeak() throws -> Self {
    try self.as(.weak)
  }

  /// Shares an instance within each resolution: ``Scope/graph``.
  ///
  /// - Throws: ``RegistrationError/scopeRefusesArguments(key:scope:location:)``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asGraph() throws -> Self {
    try self.as(.graph)
  }

  /// Shares an instance within each request scope: ``Scope/scoped``.
  ///
  /// - Throws: ``RegistrationError/scopeRefusesArguments(key:scope:location:)``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asScoped() throws -> Self {
    try self.as(.scoped)
  }

  /// Shares an instance for some time, then another: ``Scope/cached(for:whileRefreshing:)``.
  ///
  /// - Throws: ``RegistrationError/scopeRefusesArguments(key:scope:location:)``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asCached(
    for lifetime: Duration, whileRefreshing: StalePolicy = .wait
  ) throws -> Self {
    try self.as(.cached(for: lifetime, whileRefreshing: whileRefreshing))
  }

  /// Gives the registration a scope.
  ///
  /// - Throws: ``RegistrationError/weakRequiresClass(key:location:)``,
  ///   ``RegistrationError/scopeRefusesArguments(key:scope:location:)``,
  ///   ``RegistrationError/disposalRequiresOwner(key:scope:location:)``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func `as`(_ scope: Scope) throws -> Self {
    try change(to: scope, keptBy: nil)
    return self
  }

  /// Has an ``Instance`` store the product.
  ///
  /// ```swift
  /// try container.register(Session.self) { _ in Session() }.as(PerThread())
  /// ```
  ///
  /// - Throws: ``RegistrationError/scopeRefusesArguments(key:scope:location:)``,
  ///   ``RegistrationError/disposalRequiresOwner(key:scope:location:)``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func `as`(_ instance: some Instance<Product>) throws -> Self {
    try change(to: .custom, keptBy: CustomInstance(instance))
    return self
  }

  /// Has the ``Instance`` that the closure returns store the product. The closure is called once.
  ///
  /// ```swift
  /// try container.register(Session.self) { _ in Session() }.as { Composite([PerThread(), Weak()]) }
  /// ```
  ///
  /// - Throws: as ``as(_:)-(Instance<Product>)``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func `as`(
    _ instance: () -> some Instance<Product>
  ) throws -> Self {
    try self.as(instance())
  }

  private func change(
    to scope: Scope, keptBy instance: CustomInstance?
  ) throws(RegistrationError) {
    try modify { attributes throws(RegistrationError) in
      attributes.scope = scope
      attributes.isEager = attributes.isEager && scope.policy.canBeEager
      attributes.lifecycle.customInstance = instance
      try attributes.check()
    }
  }
}
