// SPDX-License-Identifier: MIT

extension Registration {
  /// Declares the dependencies of a factory that is a closure, for ``Container/validate(roots:inputs:strictly:)``.
  ///
  /// ```swift
  /// try container.register(Service.self) { resolver in
  ///   Service(logger: try resolver.resolve(), clock: try resolver.resolve())
  /// }.dependsOn(Logger.self, Clock.self)
  /// ```
  ///
  /// The types are treated as the parameters of an initialiser: an optional may be missing, a ``Lazy`` or a
  /// ``Provider`` is resolved later. The declaration is not compared with the resolves of the factory.
  /// It is also that of `afterInit` actions: with these, a cycle of a shared instance is no finding, as they may close it.
  ///
  /// - Parameter types: the types that it resolves without a name. Several calls add up.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func dependsOn(_ types: any Any.Type...) -> Self {
    dependsOn(types.map { RegistrationKey(product: $0) })
  }

  /// The same for keys, which may have names or arguments.
  @discardableResult
  public func dependsOn(_ keys: [RegistrationKey]) -> Self {
    changed(by: .dependsOn(keys))
  }
}
