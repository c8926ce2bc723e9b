// SPDX-License-Identifier: MIT

extension Container {
  /// Finds all problems in the registrations at once. No factory runs.
  ///
  /// ```swift
  /// func testTheApplicationIsComplete() throws {
  ///   try makeApplication().validate(roots: [Server.self, Worker.self])
  /// }
  /// ```
  ///
  /// Validation checks every registration that a resolve from this container finds, registrations
  /// of the parents included, with the dependencies that the registration would get: singletons
  /// resolve dependencies in the container of their registration. See
  /// ``ValidationFinding/Kind-swift.enum`` for the kinds of findings.
  ///
  /// The dependencies of an initializer, registered by `wire`, are the parameters. The dependencies
  /// of a closure are not known unless recorded, by ``recordDependencies()``, or declared; the
  /// findings do not cover unknown dependencies, see ``ValidationReport/unknown``. With unknown
  /// dependencies, strict validation fails:
  ///
  /// ```swift
  /// try makeApplication().validate(roots: [Server.self, Worker.self], strictly: true)
  /// ```
  ///
  /// - Parameters:
  ///   - roots: the types that the program itself resolves. A registration on which neither a root
  ///     nor an eager singleton depends is then a finding. If a root or an eager singleton depends
  ///     on a registration with unknown dependencies, nothing is reported as unused.
  ///   - inputs: the types given to every request scope, see
  ///     ``registerInput(_:onDuplicate:file:line:)``; all declared inputs when left out. A request
  ///     scope also has the inputs with which the scope was made.
  ///   - strictly: whether a registration with unknown dependencies is a finding too.
  /// - Returns: a report without findings.
  /// - Throws: ``RegistrationError/validationFailed(_:)`` with all findings;
  ///   ``ResolutionError/containerClosed(_:)``.
  /// - Complexity: O(*n* + *d*) in the numbers of registrations and dependencies. Every
  ///   longer-lived instance adds the transients behind it.
  ///
  /// Takes no lock for the checks. A registration that changes meanwhile is checked as before or
  /// after the change.
  @discardableResult
  public func validate(
    roots: ValidationRoots? = nil, inputs: [any Any.Type]? = nil, strictly: Bool = false
  ) throws -> ValidationReport {
    try throwIfClosed(before: "validate", needsParents: true)
    let report = ValidationReport(
      of: registry, roots: roots?.keys, inputs: inputs, strictly: strictly)
    try throwIfClosed(before: "validate", needsParents: true)
    try report.throwIfNeeded()
    return report
  }

  /// Validates before a start. In a debug build, the first such validation of the process that
  /// finds registrations with unknown dependencies reports the number of these registrations.
  func validateAtStart() throws {
    let report = try validate()
    #if DEBUG
      Hints.reportUnseenDependencies(
        of: report.unknown,
        inputs: registry.visibleRegistrations().filter(\.isNeededInput).map(\.key))
    #endif
  }
}
