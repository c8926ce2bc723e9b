// SPDX-License-Identifier: MIT

extension ContainerBuilder {
  /// Makes the container, if the registrations have no findings or are not to be validated.
  ///
  /// ```swift
  /// let container = try builder.build(validating: true)
  /// ```
  ///
  /// Registering in the container, in this builder, or in the container of ``configure(_:)``,
  /// throws ``RegistrationError/containerFrozen(key:location:)`` from then on, as after
  /// ``Container/freeze()``.
  ///
  /// - Parameter validating: whether ``Container/validate(roots:inputs:strictly:)`` comes first.
  /// - Returns: a container that has the registrations for good.
  /// - Throws: ``RegistrationError/validationFailed(_:)`` with all findings;
  ///   ``RegistrationError/invalidRegistrations(_:)``, if modifiers of registrations contradict
  ///   each other. After an error, further registrations are possible.
  /// - Complexity: O(*n*) in the number of keys ever registered; with validation, also in the
  ///   number of dependencies.
  ///
  /// Takes the container's writer lock, once.
  public func build(validating: Bool = false) throws -> Container {
    if validating { try container.validateAtStart() }
    try container.freeze()
    return container
  }
}
