// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth
internal import Synchronization

/// The whole benchmark on one graph: build the container, find the cycles, put the container under
/// load, and take the container apart again.
struct GraphRun: Sendable {
  let graph: PackageGraph
  let inputPath: String
  let settings: Load.Settings
  let exponent: Double
  /// Whether an exceeded budget is a failure.
  let isStrict: Bool

  func run(failures: Failures) throws -> GraphResults {
    let validationRun = ValidationRun(graph: graph)
    let validation = try validationRun.run(failures: failures)
    if isStrict, validation.milliseconds > validationRun.budget {
      failures.record(
        "Validation has taken \(validation.milliseconds) ms, of \(validationRun.budget) at most.")
    }
    var packages = try PackageContainer(graph)
    let (cycles, depth) = try packages.resolveAll()
    let reclaimedBefore = Reclamation.counts
    let memoryAtStart = residentMemory()
    let outcome = Load(
      on: packages,
      popularity: ZipfDistribution(of: graph.byPopularity, exponent: exponent),
      settings: settings, failures: failures
    ).run()
    let memoryAtEnd = residentMemory()
    reclaimAll()
    let reclaimed = Reclamation.counts
    packages.container.removeAll()
    reclaimAll()
    let leaked = Package.alive.load(ordering: .acquiring)
    if leaked != 0 { failures.record("\(leaked) packages are alive in an empty container.") }

    let seconds = Double(outcome.nanoseconds) / 1e9
    return GraphResults(
      input: inputPath,
      packages: graph.packages.count,
      edges: graph.edgeCount,
      absentDependencies: graph.absentDependencies,
      cycles: cycles.map { cycle in cycle.map { graph.packages[$0] } },
      longestChain: depth,
      validation: validation,
      threads: settings.threads,
      seconds: seconds,
      zipfExponent: exponent,
      resolves: outcome.resolves,
      resolvesPerSecond: Double(outcome.resolves) / seconds,
      latency: GraphResults.Latency(outcome.latencies),
      overrides: outcome.overrides,
      overridesPerSecond: Double(outcome.overrides) / seconds,
      retired: reclaimed.retired - reclaimedBefore.retired,
      reclaimed: reclaimed.destroyed - reclaimedBefore.destroyed,
      mostPending: outcome.mostPending,
      memoryAtStart: memoryAtStart,
      memoryAfterWarmUp: outcome.memoryAfterWarmUp,
      memoryAtEnd: memoryAtEnd,
      errors: failures.count)
  }
}

/// No section is open any more, so what is still pending goes now.
private func reclaimAll() {
  while case let counts = Reclamation.counts, counts.destroyed < counts.retired {
    Reclamation.reclaimAll()
  }
}
