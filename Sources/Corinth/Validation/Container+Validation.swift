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
  /// This checks each registration that a resolve from this container finds, those of its parents too, with the
  /// dependencies that it would get: singletons resolve theirs in the container that they are registered in. See
  /// ``ValidationFinding/Kind-swift.enum`` for the kinds of findings.
  ///
  /// The dependencies of an initialiser, registered by `wire`, are its parameters. Those of a closure are not known
  /// unless they were recorded, by ``recordDependencies()``, or declared; the findings do not cover them, see
  /// ``ValidationReport/unknown``. Strict validation fails then:
  ///
  /// ```swift
  /// try makeApplication().validate(roots: [Server.self, Worker.self], strictly: true)
  /// ```
  ///
  /// - Parameters:
  ///   - roots: what the program itself resolves. Registrations that neither these nor eager singletons depend on are
  ///     findings then. If these depend on one whose dependencies are not known, nothing is reported as unused.
  ///   - inputs: the types that each request scope is given, see ``registerInput(_:onDuplicate:file:line:)``; all that
  ///     are declared when left out. A request scope has those that it was made with, too.
  ///   - strictly: whether a registration whose dependencies are not known is a finding too.
  /// - Returns: a report without findings.
  /// - Throws: ``RegistrationError/validationFailed(_:)`` with all findings.
  /// - Complexity: O(*n* + *d*) in the numbers of registrations and dependencies. Each longer-lived instance adds the
  ///   transients behind it.
  ///
  /// Takes no lock while it checks. A registration that changes meanwhile is checked as it was before or after.
  @discardableResult
  public func validate(
    roots: ValidationRoots? = nil, inputs: [any Any.Type]? = nil, strictly: Bool = false
  ) throws -> ValidationReport {
    let report = registry.validationReport(
      roots: roots?.keys, inputs: inputs, strictly: strictly)
    try report.throwIfNeeded()
    return report
  }
}
