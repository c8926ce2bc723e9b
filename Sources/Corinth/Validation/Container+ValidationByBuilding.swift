// SPDX-License-Identifier: MIT

extension Container {
  /// Builds everything once, in a fork that is thrown away, and validates with the dependencies
  /// that the factories have resolved. For synchronous code.
  ///
  /// ```swift
  /// try container.syncValidate(
  ///   building: true, roots: [Server.self], providing: CorrelationID.example)
  /// ```
  ///
  /// Every registration without arguments is built in a request scope of the fork, which is given
  /// the inputs, and is ``Container/current`` meanwhile; the fork is then shut down, disposers
  /// included. The instances of this container stay unchanged, as do instances stored by an
  /// ``CustomStorage`` of yours. Values are not disposed of, but the `afterInit` actions of values
  /// run again. Behaviors receive these constructions. The parents of a child are copied too, each
  /// individually: as in the application, the parents' singletons do not get the child's overrides.
  ///
  /// Asynchronous registrations are left out, and stay unknown:
  /// ``validate(building:roots:strictly:providing:)`` builds them too. If a scoped instance has an
  /// asynchronous disposer, a task disposes of everything; if only a singleton has an asynchronous
  /// disposer, a task disposes of the singletons. The call does not wait for the task: errors of
  /// the task's disposers, synchronous disposers included, are not findings here.
  ///
  /// - Parameters:
  ///   - building: `false` runs no factory, like ``validate(roots:inputs:strictly:)``.
  ///   - roots: the roots of ``validate(roots:inputs:strictly:)``.
  ///   - strictly: the strictness of ``validate(roots:inputs:strictly:)``. Factories with arguments
  ///     stay unknown, and here asynchronous factories too.
  ///   - inputs: the inputs of every request scope, as examples. The examples' types are the
  ///     `inputs` of ``validate(roots:inputs:strictly:)``.
  /// - Returns: a report without findings.
  /// - Throws: ``RegistrationError/validationFailed(_:)`` with all findings;
  ///   ``ValidationFinding/Kind-swift.enum/failed`` for factories and disposers that have thrown.
  ///   ``ResolutionError/containerClosed(_:)``.
  ///
  /// Takes the time of the factories. Waits for no construction of this container.
  @discardableResult
  @available(*, noasync, message: "In asynchronous code, await validate.")
  public func syncValidate<each Input: Sendable>(
    building: Bool, roots: ValidationRoots? = nil, strictly: Bool = false,
    providing inputs: repeat each Input
  ) throws -> ValidationReport {
    let types = Self.types(of: repeat (each Input).self)
    if !building { return try validate(roots: roots, inputs: types, strictly: strictly) }
    try throwIfClosed(before: "validate", needsParents: true)
    let fork = ThrowAwayFork(of: self, providing: repeat each inputs)
    let failures = fork.build() + fork.end()
    return try report(roots, types, strictly, fork, failures)
  }

  /// Builds everything once, asynchronous registrations included, in a fork that is thrown away,
  /// and validates with the dependencies that the factories have resolved.
  ///
  /// ```swift
  /// try await container.validate(building: true, providing: CorrelationID.example, User.example)
  /// ```
  ///
  /// Works like ``syncValidate(building:roots:strictly:providing:)``. The caller stays on its
  /// actor.
  ///
  /// - Throws: the errors of ``syncValidate(building:roots:strictly:providing:)``.
  @discardableResult
  nonisolated(nonsending)
    public func validate<each Input: Sendable>(
      building: Bool, roots: ValidationRoots? = nil, strictly: Bool = false,
      providing inputs: repeat each Input
    ) async throws -> ValidationReport
  {
    let types = Self.types(of: repeat (each Input).self)
    if !building { return try validate(roots: roots, inputs: types, strictly: strictly) }
    try throwIfClosed(before: "validate", needsParents: true)
    let fork = ThrowAwayFork(of: self, providing: repeat each inputs)
    let failures = await fork.buildAsync() + fork.endAsync()
    return try report(roots, types, strictly, fork, failures)
  }

  private func report(
    _ roots: ValidationRoots?, _ inputs: [any Any.Type], _ strictly: Bool,
    _ fork: ThrowAwayFork, _ failures: [ResolutionError]
  ) throws -> ValidationReport {
    let report = ValidationReport(
      of: registry, roots: roots?.keys, inputs: inputs, strictly: strictly,
      recorded: fork.recorded)
    // An unfinished build leaves dependencies unknown. The build's failure is a finding already.
    let failed = Set(failures.compactMap(\.path.first))
    let whole = report.adding(failures.findings(besides: report.findings))
      .filtering { $0.kind != .unknown || !failed.contains($0.key) }
    try throwIfClosed(before: "validate", needsParents: true)
    try whole.throwIfNeeded()
    return whole
  }

  private static func types<each Input>(of types: repeat (each Input).Type) -> [any Any.Type] {
    var list: [any Any.Type] = []
    for type in repeat each types { list.append(type) }
    return list
  }
}
