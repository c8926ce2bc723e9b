// SPDX-License-Identifier: MIT

extension Container {
  /// Validates the registrations if asked to, and builds the eager singletons then: ``warmUp()``.
  ///
  /// ```swift
  /// try await container.warmUp(validating: true)
  /// ```
  ///
  /// Nothing is built if there are findings.
  ///
  /// - Parameter validating: whether ``validate(roots:inputs:strictly:)`` comes first.
  /// - Throws: ``RegistrationError/validationFailed(_:)`` with all findings; ``ResolutionError/warmUpFailed(_:)`` with all
  ///   failures.
  nonisolated(nonsending)
    public func warmUp(validating: Bool) async throws
  {
    if validating { try validate() }
    try await warmUp()
  }

  /// Validates the registrations if asked to, and builds the eager singletons then: ``syncWarmUp()``. For synchronous
  /// code.
  ///
  /// As ``warmUp(validating:)``.
  @available(*, noasync, message: "In asynchronous code, await warmUp.")
  public func syncWarmUp(validating: Bool) throws {
    if validating { try validate() }
    try syncWarmUp()
  }
}
