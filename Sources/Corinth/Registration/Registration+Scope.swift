// SPDX-License-Identifier: MIT

extension Registration {
  /// Gives the registration a scope in place of the registered scope.
  ///
  /// ```swift
  /// registration.as(.singleton)
  /// ```
  ///
  /// A registration takes a single scope, here or in `register`. Of several different scopes the
  /// last scope counts, and ``Container/validate(roots:inputs:strictly:)`` reports the rest. The
  /// registration is invalid with an impossible scope:
  /// ``RegistrationError/weakRequiresClass(key:location:)``,
  /// ``RegistrationError/scopeRefusesArguments(key:scope:location:)``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func `as`(_ scope: Scope<Product>) -> Self {
    modify { $0.setScope(scope.erased, keptBy: nil) }
    return self
  }

  /// Has a ``CustomStorage`` store the product.
  ///
  /// ```swift
  /// try container.register(Session.self) { _ in Session() }.as(PerThread())
  /// ```
  ///
  /// The registration is invalid if the container cannot distinguish the values of the arguments:
  /// ``RegistrationError/scopeRefusesArguments(key:scope:location:)``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func `as`(_ storage: some CustomStorage<Product>) -> Self {
    changed(by: .as(storage))
  }
}
