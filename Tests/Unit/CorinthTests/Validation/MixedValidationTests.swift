// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Random containers of all sorts. What they are said to do is compared with what their resolves
/// do.
final class MixedValidationTests: AsyncTestCase {
  private typealias Failures = [RegistrationKey: [ResolutionError]]

  func testFindingsAreWhatResolvesOfMixedGraphsThrow() async throws {
    try skipUnderThreadSanitizer()
    var random = SeededGenerator(seed: 5)
    var complete = 0
    for round in 0..<StressSize.scaled(300) {
      let graph = MixedGraph(&random)
      let failures = try await failures(graph)
      for (report, isExact) in try await reports(graph) {
        let isComplete = report.unknown.isEmpty && isExact
        if isComplete { complete += 1 }
        let faults =
          (isComplete ? unexplained(failures, report) : [])
          + untrue(report.findings, graph, failures)
        if faults.isEmpty { continue }
        return XCTFail("graph \(round): \(graph)\n\(report)\n\(faults.joined(separator: "\n"))")
      }
    }
    XCTAssertGreaterThan(complete, StressSize.scaled(150))
  }

  /// Declared, built and recorded dependencies.
  private func reports(_ graph: MixedGraph) async throws -> [(ValidationReport, isExact: Bool)] {
    let (container, outer) = try graph.makeContainer()
    func report(_ validate: () async throws -> ValidationReport) async throws -> ValidationReport {
      do { return try await validate() } catch RegistrationError.validationFailed(let report) {
        return report
      }
    }
    let plain = try await report { try container.validate() }
    // A fork of a child has one container.
    let built = try await report {
      graph.hasInput
        ? try await container.validate(building: true, providing: Request())
        : try await container.validate(building: true)
    }
    for registration in container.registrations(includingParents: true) {
      XCTAssertTrue(!registration.isBuilt || registration.kind == .value, "\(graph)")
    }
    let recording = container.recordDependencies()
    for key in keys(container) {
      _ = try? await resolving(key, graph, in: container) { _ in }
    }
    recording.stop()
    container.releaseAll()
    outer.releaseAll()
    let recorded = try await report { try container.validate() }
    return [(plain, graph.isDeclaredExactly), (recorded, true)]
      + (graph.relation == .child ? [] : [(built, graph.isBuiltExactly)])
  }

  // MARK: - Resolving

  private func keys(_ container: Container) -> Set<RegistrationKey> {
    Set(container.registrations(includingParents: true).map(\.key))
      .filter { $0.product is AnyPiece.Type }
  }

  /// What fails when each key is resolved in a request scope of a container of its own.
  private func failures(_ graph: MixedGraph) async throws -> Failures {
    var failures: Failures = [:]
    for key in try keys(graph.makeContainer().asked) {
      let (container, outer) = try graph.makeContainer()
      var errors: [ResolutionError] = []
      if graph.relation == .child { try? await outer.warmUp() }
      do { try await container.warmUp() } catch let error as ResolutionError {
        errors = error.failures
      }
      do {
        try await resolving(key, graph, in: container) { errors += await self.later($0) }
      } catch let error as ResolutionError { errors.append(error) }
      failures[key] = errors
      withExtendedLifetime(outer) {}
    }
    return failures
  }

  private func resolving(
    _ key: RegistrationKey, _ graph: MixedGraph, in container: Container,
    _ body: (any Resolvable) async -> Void
  ) async throws {
    let scope = graph.hasInput ? container.makeScope(providing: Request()) : container.makeScope()
    do { await body(try await MixedGraph.resolve(key, in: scope)) } catch {
      try await scope.close()
      throw error
    }
    try await scope.close()
  }

  /// What fails when all that an instance holds is resolved.
  private func later(_ first: any Resolvable) async -> [ResolutionError] {
    var failures: [ResolutionError] = []
    var pending = [first]
    for position in 0..<60 where position < pending.count {
      do { pending += try await pending[position].contents() } catch {
        failures += [error as? ResolutionError].compactMap { $0 }
      }
    }
    return failures
  }

  // MARK: - Comparing

  /// What has failed, and is not found.
  private func unexplained(_ failures: Failures, _ report: ValidationReport) -> [String] {
    failures.values.joined().filter { error in
      // Of what a factory throws by itself, only a build tells.
      if error.cause(as: BrokenPiece.self) != nil { return false }
      // A singleton that could not be built in advance is said to fail by itself.
      let isConsequence =
        error == .asyncResolutionRequired
        && report.findings.contains {
          [.missing, .cyclic, .captive, .missingInput].contains($0.kind)
        }
      return !isConsequence && !report.findings.contains { explains($0, error) }
    }.map { "not found: \($0)" }
  }

  private func explains(_ finding: ValidationFinding, _ error: ResolutionError) -> Bool {
    switch (finding.kind, error) {
    case (.missing, .noRegistrationFound), (.forwarding, .noRegistrationFound),
      (.asynchronous, .asyncResolutionRequired), (.failed, _):
      finding.key == error.key
    case (.cyclic, .circularDependencyDetected), (.forwarding, .circularDependencyDetected),
      (.captive, .captiveDependency), (.captive, .scopeRequired),
      (.missingInput, .scopeRequired), (.missingInput, .scopeInputMissing):
      true
    default: false
    }
  }

  /// Findings whose path begins with what resolves.
  private func untrue(
    _ findings: [ValidationFinding], _ graph: MixedGraph, _ failures: Failures
  ) -> [String] {
    findings.filter { finding in
      guard let asker = finding.path.first, finding.path.count > 1 else { return false }
      return graph.shows(finding) && failures[asker]?.isEmpty ?? false
    }.map { "not true: \($0)" }
  }
}

extension MixedGraph {
  /// Whether a resolve of the first key of a path fails, in any request scope.
  fileprivate func shows(_ finding: ValidationFinding) -> Bool {
    let numbers = finding.path.compactMap { $0.name.flatMap { Int($0.base.description) } }
    let nodes = nodes.filter { numbers.contains($0.number) && !$0.isDecorator }
    // The path may be one of the parent, whose registration is hidden.
    if Set(nodes.map(\.number)).count < nodes.count { return false }
    if finding.kind == .asynchronous {
      // Another resolve may have built it, for as long as it is shared.
      return !nodes.contains { $0.lifetime == .cached || $0.lifetime == .weak }
    }
    // A provider builds none.
    return !nodes.contains { $0.number != numbers[0] && $0.isAsynchronous }
  }
}
