// SPDX-License-Identifier: MIT

import Corinth
public import Foundation
import TestSupport

/// Runs graphs.
public enum RandomGraph {
  /// Runs a graph once.
  ///
  /// After a hang, threads are left behind that never end: the process is to be given up.
  ///
  /// - Parameter patience: how many seconds a run may take that takes a millisecond.
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

  /// - Parameter expected: what the oracle is told that the graph is, for tests of the oracle.
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
    do {
      let run = try GraphRun(graph, checkedAs: expected)
      run.beginCallers()
      guard run.waitForAll(atMost: patience) else { return [hang(run, "resolving")] }
      if graph.services.contains(where: { $0.disposer != nil }) || !graph.closings.isEmpty {
        run.begin()
        Task {
          let kind =
            graph.callers.count.isMultiple(of: 2) ? ClosingDescription.Kind.close : .shutdown
          for container in graph.containers.indices.reversed() {
            await run.close(container, by: kind)
          }
          run.end()
        }
        guard run.waitForAll(atMost: patience) else { return [hang(run, "closing")] }
      }
      return check(run, &statistics) + leak(in: run, patience)
    } catch {
      return [GraphProblem(.error, "a registration was refused: \(error)")]
    }
  }

  private static func hang(_ run: GraphRun, _ what: String) -> GraphProblem {
    GraphProblem(.hang, "\(run.stillUnderWay) have not returned from \(what)")
  }

  private static func check(
    _ run: GraphRun, _ statistics: inout GraphStatistics
  ) -> [GraphProblem] {
    let seen = run.takeSeen()
    statistics.add(run, seen)
    return seen.problems
      + GraphOracle(run: run, seen: seen).problems()
  }

  /// A task that has built an instance lets go of it a moment after those who waited have it.
  private static func leak(in run: GraphRun, _ patience: TimeInterval) -> [GraphProblem] {
    run.clear()
    let deadline = Date(timeIntervalSinceNow: min(patience, 5))
    var rounds = 0
    while run.alive.value > 0 {
      Reclamation.reclaim()
      rounds += 1
      if rounds > 3 { usleep(20) }
      if Date() > deadline { return [GraphProblem(.leak, "\(run.alive.value) instances are left")] }
    }
    return []
  }
}
