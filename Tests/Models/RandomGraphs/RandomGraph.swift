// SPDX-License-Identifier: MIT

import Corinth
public import Foundation
import TestSupport

/// Runs graphs.
public enum RandomGraph {
  /// Runs a graph once.
  ///
  /// A hang leaves threads behind that never end: the process must be given up.
  ///
  /// - Parameter patience: the number of seconds without the beginning of a factory after which a
  ///   run counts as a hang.
  public static func problems(
    of graph: GraphDescription, patience: TimeInterval = 20
  ) -> [GraphProblem] {
    var statistics = GraphStatistics()
    return problems(of: graph, checkedAs: graph, patience: patience, &statistics)
  }

  static func problems(
    of graph: GraphDescription, patience: TimeInterval, _ statistics: inout GraphStatistics
  ) -> [GraphProblem] {
    problems(of: graph, checkedAs: graph, patience: patience, &statistics)
  }

  /// - Parameter expected: the graph that the oracle checks the run against, for tests of the
  ///   oracle.
  package static func problems(
    of graph: GraphDescription, checkedAs expected: GraphDescription
  ) -> [GraphProblem] {
    var statistics = GraphStatistics()
    return problems(of: graph, checkedAs: expected, patience: 20, &statistics)
  }

  private static func problems(
    of graph: GraphDescription, checkedAs expected: GraphDescription, patience: TimeInterval,
    _ statistics: inout GraphStatistics
  ) -> [GraphProblem] {
    let alive = AtomicCounter()
    var problems: [GraphProblem] = []
    do {
      let run = try GraphRun(graph, checkedAs: expected, alive)
      if let hang = hang(of: run, patience) { return [hang] }
      run.waitForWatchers(min(patience, 2))
      let seen = run.takeSeen()
      statistics.add(run, seen)
      problems = seen.problems + GraphOracle(run: run, seen: seen).problems()
    } catch {
      return [GraphProblem(.error, "a registration was refused: \(error)")]
    }
    return problems + leak(alive, patience)
  }

  private static func hang(of run: GraphRun, _ patience: TimeInterval) -> GraphProblem? {
    run.beginCallers()
    if let hang = run.waitForAll(patience) { return GraphProblem(.hang, "resolving: \(hang)") }
    let services = run.graph.services
    if run.graph.closings.isEmpty, services.allSatisfy({ $0.disposer == nil }) { return nil }
    run.begin()
    Task {
      let kind =
        run.graph.callers.count.isMultiple(of: 2) ? ClosingDescription.Kind.close : .shutdown
      for container in run.graph.containers.indices.reversed() {
        await run.close(container, by: kind)
      }
      run.end()
    }
    return run.waitForAll(patience).map { GraphProblem(.hang, "closing: \($0)") }
  }

  /// Waits for the last releases: a construction task releases its instance a moment after its
  /// waiters have it.
  private static func leak(_ alive: AtomicCounter, _ patience: TimeInterval) -> [GraphProblem] {
    let deadline = Date(timeIntervalSinceNow: patience)
    var rounds = 0
    while alive.value > 0 {
      Reclamation.reclaimAll()
      rounds += 1
      if rounds > 3 { usleep(20) }
      if Date() > deadline { return [GraphProblem(.leak, "\(alive.value) instances are left")] }
    }
    return []
  }
}
