// SPDX-License-Identifier: MIT

/// What ``Container/validate(roots:inputs:strictly:)`` has found out.
public struct ValidationReport: Sendable {
  /// The problems, sorted by their kinds, and then in the order of registration.
  public let findings: [ValidationFinding]
  /// The registrations whose dependencies are not known completely, in the order of registration: nothing is said of these.
  /// Strict validation makes each of them a finding.
  ///
  /// The dependencies of a factory that is a closure are known once they were recorded, see
  /// ``Container/recordDependencies()``, or declared, see ``Registration/dependsOn(_:keys:)``. The same holds for
  /// `afterInit` actions and decorators.
  public let unknown: [RegistrationKey]

  /// The report with more findings.
  func adding(_ others: [ValidationFinding]) -> ValidationReport {
    ValidationReport(findings: Self.inOrder(findings + others), unknown: unknown)
  }

  /// The report with some of its findings.
  func filtering(_ isIncluded: (ValidationFinding) -> Bool) -> ValidationReport {
    ValidationReport(findings: findings.filter(isIncluded), unknown: unknown)
  }

  static func inOrder(_ findings: [ValidationFinding]) -> [ValidationFinding] {
    let ranks = Dictionary(
      uniqueKeysWithValues: zip(ValidationFinding.Kind.allCases, 0...))
    let keyed = findings.enumerated().map {
      (order: (ranks[$1.kind] ?? 0, $1.serial, $0), finding: $1)
    }
    return keyed.sorted { $0.order < $1.order }.map(\.finding)
  }
}

extension ValidationReport {
  func throwIfNeeded() throws(RegistrationError) {
    if findings.first != nil { throw .validationFailed(self) }
  }
}
