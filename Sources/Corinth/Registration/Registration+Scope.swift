// SPDX-License-Identifier: MIT

extension Registration {
  /// Gives the registration another scope than the one that it was registered with.
  ///
  /// ```swift
  /// registration.as(.singleton)
  /// ```
  ///
  /// One scope is given, here or to `register`. Of several that differ the last one counts, and
  /// ``Container/validate(roots:inputs:strictly:)`` reports the others. The registration is invalid with one that it cannot have:
  /// ``RegistrationError/weakRequiresClass(key:location:)``,
  /// ``RegistrationError/scopeRefusesArguments(key:scope:location:)``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func `as`(_ scope: Scope<Product>) -> Self {
    modify { $0.setScope(scope.erased, keptBy: nil) }
    return self
  }

  /// Has an ``Instance`` store the product.
  ///
  /// ```swift
  /// try container.register(Session.self) { _ in Session() }.as(PerThread())
  /// ```
  ///
  /// The registration is invalid if the container cannot distinguish the values of its arguments:
  /// ``RegistrationError/scopeRefusesArguments(key:scope:location:)``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func `as`(_ instance: some Instance<Product>) -> Self {
    changed(by: .as(instance))
  }
}
