// SPDX-License-Identifier: MIT

extension Registration {
  /// Declares the dependencies of a factory that is a closure, for
  /// ``Container/validate(roots:inputs:strictly:)``.
  ///
  /// ```swift
  /// try container.register(Service.self) { resolver in
  ///   Service(logger: try resolver.resolve(), clock: try resolver.resolve())
  /// }.dependsOn(Logger.self, Clock.self)
  /// ```
  ///
  /// The types are treated like the parameters of an initializer: an optional may be missing, a
  /// ``Lazy`` or a ``Provider`` is resolved later. The declaration is not compared with the
  /// resolves of the factory. The declaration also covers `afterInit` actions: with such actions, a
  /// cycle of a shared instance is no finding, as the actions may close the cycle.
  ///
  /// - Parameters:
  ///   - types: the types that the factory resolves without a name. Several calls add up.
  ///   - keys: the keys that the factory resolves by names or with arguments.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func dependsOn(_ types: any Any.Type..., keys: [RegistrationKey] = []) -> Self {
    changed(by: .init().dependingOn(types, keys))
  }
}
