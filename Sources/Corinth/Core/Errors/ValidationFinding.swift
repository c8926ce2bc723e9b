// SPDX-License-Identifier: MIT

/// One problem in the registrations of a container, as ``Container/validate(roots:inputs:strictly:)`` reports it: a value.
///
/// ```swift
/// do { try container.validate() } catch RegistrationError.validationFailed(let report) {
///   for finding in report.findings where finding.kind == .captive { print(finding.path) }
/// }
/// ```
public struct ValidationFinding: Sendable {
  /// What is wrong. Findings are listed in this order.
  @nonexhaustive
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// Nothing is registered under ``ValidationFinding/key``, which others depend on.
    case missing
    /// Instances need each other to be built, and neither a ``Lazy``, a ``Provider`` nor an `afterInit` action closes
    /// the cycle.
    case cyclic
    /// An instance that outlives request scopes depends on a `.scoped` one. Of instances in named scopes, one does in whatever
    /// order these are opened.
    case captive
    /// A synchronous registration depends on an asynchronous one.
    case asynchronous
    /// What a request brings is needed outside of every scope, or is not among the inputs of the scopes, or more than once.
    case missingInput
    /// A forward has replaced another registration of its type in the same container, or leads to nothing, to itself, or to
    /// a class that does not conform to what it is to serve.
    case forwarding
    /// The modifiers of a registration contradict each other, or one was refused.
    case invalid
    /// Something that was said has no effect: a scope that another one overrules, a modifier that came when the container
    /// was frozen, a decorator of a type that nothing is registered for.
    case ineffective
    /// No root depends on the registration.
    case unused
    /// Found by building only: a factory or a disposer has thrown, or a resolve has failed and no other finding says why.
    case failed
    /// Found strictly only, and by a reload: what the registration depends on is not known, see ``ValidationReport/unknown``.
    case unknown
  }

  /// A registration that is concerned.
  public struct Place: Sendable, Hashable {
    /// The key of the registration.
    public let key: RegistrationKey
    /// Where it was made.
    public let location: SourceLocation
  }

  /// What is wrong.
  public let kind: Kind
  /// The key at fault: the last one of the path.
  public let key: RegistrationKey
  /// The keys from a registration that depends on it, or from a root, to the key at fault. A cycle ends where it began.
  public let path: [RegistrationKey]
  /// The registrations that are concerned, in the order of the text.
  public let places: [Place]
  /// Of an invalid registration, or of a factory that has failed: the error of a resolve.
  public let error: ResolutionError?

  let text: String
  /// The number of the registration that is to be changed, to sort by.
  let serial: UInt64

  /// - Parameters:
  ///   - summary: the first line.
  ///   - placeLines: how the places are shown, without indentation.
  ///   - hints: what to do.
  init(
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

  /// - Parameter error: the error of a resolve, which says it all.
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
  /// What is wrong, for which key, where it is registered, on which path, and what to do.
  public var description: String { text }
}

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
  /// Registrations that lead to themselves by a ``Lazy`` or a ``Provider``: for each group of them that all lead to each other
  /// one cycle, the holder of that first. No problems, and so no findings: such a cycle is built and served.
  ///
  /// The instances of a cycle are disposed of in the reverse order of their completion, as each of them depends on the others.
  public internal(set) var deferredCycles: [[ValidationFinding.Place]] = []

  /// The report with more findings.
  func adding(_ others: [ValidationFinding]) -> ValidationReport {
    with(Self.inOrder(findings + others))
  }

  /// The report with some of its findings.
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
