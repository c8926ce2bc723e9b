// SPDX-License-Identifier: MIT

/// What ``Container/validate(roots:inputs:)`` has found out.
public struct ValidationReport: Sendable {
  /// The problems, sorted by their kinds, and then in the order of registration.
  public let findings: [ValidationFinding]
  /// The registrations whose dependencies are not known completely, in the order of registration: nothing is said of these.
  ///
  /// The dependencies of a factory that is a closure are known once they were recorded, see
  /// ``Container/recordDependencies()``, or declared, see ``Registration/dependsOn(_:)-([RegistrationKey])``. The same holds for
  /// `afterInit` actions and decorators.
  public let unknown: [RegistrationKey]

  /// The report with more findings.
  func adding(_ others: [ValidationFinding]) -> ValidationReport {
    ValidationReport(findings: Self.inOrder(findings + others), unknown: unknown)
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

/// All problems in the registrations of a container.
///
/// ```swift
/// do { try container.validate() } catch let error as ValidationError { print(error) }
/// ```
public struct ValidationError: Error {
  /// What was found out.
  public let report: ValidationReport

  /// The problems. There is at least one.
  public var findings: [ValidationFinding] { report.findings }
}

extension ValidationError: CustomStringConvertible {
  /// All findings, one below the other.
  public var description: String {
    let count = findings.count == 1 ? "1 problem was" : "\(findings.count) problems were"
    return (["\(count) found in the registrations."] + findings.map(\.description))
      .joined(separator: "\n")
  }
}

extension ValidationError: CausedError {
  var causes: [any Error] { findings.compactMap(\.error) }
}

extension ValidationReport {
  func throwIfNeeded() throws(ValidationError) {
    if !findings.isEmpty { throw ValidationError(report: self) }
  }
}
