// SPDX-License-Identifier: MIT

extension FrozenContainer {
  /// Looks for all problems in the registrations at once: ``Container/validate(roots:inputs:)``.
  @discardableResult
  public func validate(
    roots: ValidationRoots? = nil, inputs: [any Any.Type]? = nil
  ) throws -> ValidationReport {
    try container.validate(roots: roots, inputs: inputs)
  }

  /// Builds everything once, in a fork that is thrown away, and validates with the dependencies that its factories
  /// have resolved: ``Container/syncValidate(building:roots:providing:)``.
  @discardableResult
  public func syncValidate<each Input: Sendable>(
    building: Bool, roots: ValidationRoots? = nil, providing inputs: repeat each Input
  ) throws -> ValidationReport {
    try container.syncValidate(building: building, roots: roots, providing: repeat each inputs)
  }

  /// Builds everything once, asynchronous registrations included, in a fork that is thrown away:
  /// ``Container/validate(building:roots:providing:)``.
  @discardableResult
  nonisolated(nonsending)
    public func validate<each Input: Sendable>(
      building: Bool, roots: ValidationRoots? = nil, providing inputs: repeat each Input
    ) async throws -> ValidationReport
  {
    try await container.validate(building: building, roots: roots, providing: repeat each inputs)
  }

  /// Validates if asked to, and builds the eager singletons then: ``Container/warmUp(validating:)``.
  nonisolated(nonsending)
    public func warmUp(validating: Bool) async throws
  {
    try await container.warmUp(validating: validating)
  }

  /// Validates if asked to, and builds the eager singletons then: ``Container/syncWarmUp(validating:)``.
  public func syncWarmUp(validating: Bool) throws {
    try container.syncWarmUp(validating: validating)
  }
}

extension ContainerBuilder {
  /// Makes the container, if its registrations have no findings or are not to be validated: ``build()``.
  ///
  /// ```swift
  /// let container = try builder.build(validating: true)
  /// ```
  ///
  /// - Parameter validating: whether ``Container/validate(roots:inputs:)`` comes first.
  /// - Throws: ``RegistrationError/validationFailed(_:)`` with all findings; ``RegistrationError/invalidRegistrations(_:)``. More can be registered then.
  public func build(validating: Bool) throws -> FrozenContainer {
    if validating { try configure { try $0.validate() } }
    return try build()
  }
}
