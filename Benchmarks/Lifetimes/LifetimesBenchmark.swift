// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth

/// Measures the cost of asynchronous resolves, graphs, children and request scopes, and the gain of
/// more threads.
@main
enum LifetimesBenchmark {
  static func main() async throws {
    let options = Options(
      summary: "Measures asynchronous resolves, graphs, children and request scopes.",
      [.init("--seconds", "N", help: "about how long to measure (10, quick: 3)")])
    refuseDebugBuild()
    let seconds = options.number("--seconds", default: options.isQuick ? 3.0 : 10.0)

    print(Machine.current.text)
    let threadCounts = Machine.current.threadCounts
    let columns: [Column: Workloads] = [
      .corinth: try await corinthWorkloads(),
      .direct: directWorkloads(),
      .mutex: try mutexWorkloads(),
    ]
    let judged = try await JudgedFigures(
      columns, inAlternation: Operation.groups, threadCounts: threadCounts, seconds: seconds
    ) { $0.limit }
    print(
      judged.text(
        threadCounts: threadCounts, legend: legend,
        of: "asynchronous resolves, graphs, children and request scopes"))
    if let path = options.json { Report(benchmark: "lifetimes", results: judged).write(to: path) }
  }

  private static let legend = """
    Each figure is the median of many short rounds, in which the columns of a row take turns. The
    nanoseconds are those that each thread or task takes for one operation.
    direct: stored properties, initializers and async functions, without a container. Mutex: the
    leanest dictionary by type behind Synchronization.Mutex, and another one for each scope or child;
    it has no names, no disposal and no search for cycles, and may build an instance twice. The
    callers of its requests close the session. In its row of 1,000, the identity of an object stands
    for a type, where Corinth has a name.
    The graph is a transient with six instances of graph scope on two levels below it. Children and
    scopes are made by each thread for itself. A request is a scope with two inputs, a handler of two
    instances of the scope, of which one has a disposer, and of a singleton, and the scope's end. It
    is observed by a LoggingBehavior whose messages nobody reads, and by a MetricsBehavior. 'Built by
    the caller': the factories stand where the handler is built.
    """
}
