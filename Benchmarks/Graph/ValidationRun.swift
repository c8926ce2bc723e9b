// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth

/// Validates the packages of a graph, whose factories declare their dependencies and do not run.
struct ValidationRun {
  struct Results: Codable, Sendable {
    /// The median of several calls.
    let milliseconds: Double
    /// The cycles, as paths from a package back to the package.
    let cycles: [[String]]
    /// Findings of other kinds.
    let otherFindings: Int
  }

  let graph: PackageGraph

  func run(failures: Failures) throws -> Results {
    let container = Container()
    let names = graph.packages.map { Name($0) }
    for (position, name) in names.enumerated() {
      try container.register(Package.self, name: name, scope: .singleton) { _ in
        failures.record("The factory of \(name) has run.")
        return Package(position: position, dependencies: [], deferred: [])
      }.dependsOn(
        keys: graph.dependencies[position].map { RegistrationKey(Package.self, name: names[$0]) })
    }
    var times: [UInt64] = []
    var findings: [ValidationFinding] = []
    for _ in 0..<Self.calls {
      let begin = monotonicNanoseconds()
      do { findings = try container.validate().findings } catch RegistrationError.validationFailed(
        let report)
      {
        findings = report.findings
      }
      times.append(monotonicNanoseconds() - begin)
    }
    let texts = Dictionary(uniqueKeysWithValues: zip(names, graph.packages))
    let cycles = findings.filter { $0.kind == .cyclic }
    return Results(
      milliseconds: Double(times.sorted()[Self.calls / 2]) / 1e6,
      cycles: cycles.map { $0.path.map { $0.name.flatMap { texts[$0] } ?? "" } },
      otherFindings: findings.count - cycles.count)
  }

  private static let calls = 11

  /// The most milliseconds that a call may take: 50 for the 1,216 packages of a Debian system.
  var budget: Double { 50 * max(1, Double(graph.packages.count) / 1_216) }
}
