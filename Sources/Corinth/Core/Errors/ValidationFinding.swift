// SPDX-License-Identifier: MIT

/// A problem in the registrations of a container, as reported by
/// ``Container/validate(roots:inputs:strictly:)``.
///
/// ```swift
/// do { try container.validate() } catch RegistrationError.validationFailed(let report) {
///   for finding in report.findings where finding.kind == .captive { print(finding.path) }
/// }
/// ```
public struct ValidationFinding: Sendable {
  /// The kind of a problem. Findings are listed in the order of the cases.
  @nonexhaustive
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// Nothing is registered under ``ValidationFinding/key``, on which registrations depend.
    case missing
    /// The constructions of several instances need each other, and neither a ``Lazy``, a
    /// ``Provider`` nor an `afterInit` action closes the cycle.
    case cyclic
    /// An instance that outlives request scopes depends on a `.scoped` instance. For named scopes:
    /// in whatever order the scopes are opened, an instance outlives a dependency.
    case captive
    /// A synchronous registration depends on an asynchronous registration.
    case asynchronous
    /// An input of requests is needed outside of every scope, or is missing among the inputs of the
    /// scopes, or is there more than once.
    case missingInput
    /// A forward has replaced a registration of its type in the container, or leads to nothing, to
    /// itself, or to a class that does not conform to the served type.
    case forwarding
    /// The modifiers of a registration contradict each other, or a modifier was refused.
    case invalid
    /// A setting has no effect: an overruled scope, a modifier of a frozen container, a decorator
    /// of a type without registrations.
    case ineffective
    /// No root depends on the registration.
    case unused
    /// Found by building only: a factory or a disposer has thrown, or a resolve has failed and no
    /// further finding gives the reason.
    case failed
    /// Found by strict validation only, and by a reload: the dependencies of the registration are
    /// unknown, see ``ValidationReport/unknown``.
    case unknown
  }

  /// A registration that has a part in the problem.
  public struct Place: Sendable, Hashable {
    /// The key of the registration.
    public let key: RegistrationKey
    /// The source location of the registration.
    public let location: SourceLocation
  }

  /// The kind of the problem.
  public let kind: Kind
  /// The key at fault: the last key of the path.
  public let key: RegistrationKey
  /// The keys from a root, or from a dependent registration, to the key at fault. A cycle ends with
  /// the key of its beginning.
  public let path: [RegistrationKey]
  /// The registrations that have a part in the problem, in the order of the text.
  public let places: [Place]
  /// The error of a resolve, for an invalid registration or a failed factory.
  public let error: ResolutionError?

  let text: String
  /// The number of the registration to be changed, to sort by.
  let serial: UInt64

  /// - Parameters:
  ///   - summary: the first line.
  ///   - placeLines: how the places are shown, without indentation.
  ///   - hints: remedies.
  @inline(never) init(
    _ kind: Kind, path: [RegistrationKey], places: [Place], serial: UInt64, _ summary: String,
    placeLines: [String], showsPath: Bool = true, hints: [String]
  ) {
    self.kind = kind
    key = path.last ?? .any
    self.path = path
    self.places = places
    self.serial = serial
    error = nil
    var lines = [summary] + placeLines.map { "  \($0)" }
    if showsPath, path.count > 1 { lines.append("  path: \(path.pathText)") }
    text = (lines + hints.map { "  hint: \($0)" }).joined(separator: "\n")
  }

  /// - Parameter error: the error of a resolve, which says everything.
  init(_ kind: Kind, _ error: ResolutionError, serial: UInt64) {
    self.kind = kind
    key = error.key
    path = error.path
    places = error.context.location.map { [Place(key: error.key, location: $0)] } ?? []
    self.error = error
    self.serial = serial
    text = "\(error)"
  }
}

extension ValidationFinding: CustomStringConvertible {
  /// The problem, the key, the source locations, the path, and a remedy.
  public var description: String { text }
}

/// The result of ``Container/validate(roots:inputs:strictly:)``.
public struct ValidationReport: Sendable {
  /// The problems, sorted by kind, and then in the order of registration.
  public let findings: [ValidationFinding]
  /// The registrations with dependencies that are not all known, in the order of registration. The
  /// report cannot judge these registrations; strict validation makes a finding of each.
  ///
  /// The dependencies of a closure are known once recorded, see
  /// ``Container/recordDependencies()``, or declared, see ``Registration/dependsOn(_:keys:)``. The
  /// rule covers factories, `afterInit` actions and decorators.
  public let unknown: [RegistrationKey]
  /// The cycles closed by a ``Lazy`` or a ``Provider``: for each group of registrations that all
  /// lead to each other a single cycle, the holder of the ``Lazy`` or ``Provider`` first. Such a
  /// cycle is built and served, and is therefore no finding.
  ///
  /// The instances of a cycle depend on each other: disposal is in the reverse order of completion.
  public internal(set) var deferredCycles: [[ValidationFinding.Place]] = []

  /// The report with more findings.
  func adding(_ others: [ValidationFinding]) -> ValidationReport {
    with(Self.inOrder(findings + others))
  }

  /// The report with some of the findings.
  func filtering(_ isIncluded: (ValidationFinding) -> Bool) -> ValidationReport {
    with(findings.filter(isIncluded))
  }

  private func with(_ findings: [ValidationFinding]) -> ValidationReport {
    ValidationReport(findings: findings, unknown: unknown, deferredCycles: deferredCycles)
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
