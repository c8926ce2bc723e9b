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

  /// Shares an instance within each resolution: ``Scope/graph``.
  ///
  /// - Throws: ``RegistrationError/scopeRefusesArguments(key:scope:location:)``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asGraph() throws -> Self {
    try self.as(.graph)
  }

  /// Gives the registration a scope.
  ///
  /// - Throws: ``RegistrationError/weakRequiresClass(key:location:)``,
  ///   ``RegistrationError/scopeRefusesArguments(key:scope:location:)``,
  ///   ``RegistrationError/disposalRequiresOwner(key:scope:location:)``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func `as`(_ scope: Scope<Product>) throws -> Self {
    try change(to: scope.erased, keptBy: nil)
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
    to scope: AnyScope, keptBy instance: CustomInstance?
  ) throws(RegistrationError) {
    try modify { attributes throws(RegistrationError) in
      attributes.scope = scope
      attributes.isEager = attributes.isEager && scope.policy.canBeEager
      attributes.lifecycle.customInstance = instance
      try attributes.check()
    }
  }
}
