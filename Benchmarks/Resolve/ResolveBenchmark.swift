// SPDX-License-Identifier: MIT

import Baselines
import BenchmarkSupport
import Corinth

/// How long does a resolve take, beside hand-written code and beside a dictionary behind a lock,
/// and what do more threads bring?
@main
enum ResolveBenchmark {
  static func main() async throws {
    let options = Options(
      summary: "Measures what each kind of resolve costs.",
      [.init("--seconds", "N", help: "about how long to measure (30, quick: 8)")])
    refuseDebugBuild()
    let seconds = options.number("--seconds", default: options.isQuick ? 8.0 : 30.0)

    print(Machine.current.text)
    let threadCounts = Machine.current.threadCounts
    let columns: [Column: Workloads] = [
      .corinth: try corinthWorkloads(),
      .direct: directWorkloads(),
      .mutex: mutexWorkloads(),
      .named: try lockedWorkloads(NamedContainer()),
      .readWriteLock: try lockedWorkloads(ReadWriteLockContainer()),
      .actor: try await actorWorkloads(),
    ]
    let judged = try await JudgedFigures(
      columns, inAlternation: Operation.allCases.map { [$0] }, threadCounts: threadCounts,
      seconds: seconds
    ) { $0.limit }
    print(
      judged.text(
        threadCounts: threadCounts, legend: legend,
        of: "resolves of ready and new instances, registrations and overrides"))
    if let path = options.json { Report(benchmark: "resolve", results: judged).write(to: path) }
  }

  private static let legend = """
    Each figure is the median of many short rounds, in which the columns of a row take turns. The
    nanoseconds are those that each thread takes for one operation.
    direct: stored properties and initializers, without a container. Mutex: the leanest dictionary by
    type behind Synchronization.Mutex, without names, arguments, weak instances and disposal; two
    threads may build a singleton twice. In its rows 'register' and 'override', the identity of an
    object stands for a type, where Corinth has a name. named, rwlock, actor: a dictionary whose keys
    have names and arguments, behind Synchronization.Mutex, behind pthread_rwlock_t, and in an actor
    asked by tasks.
    The row under 'singleton' is the least that handing out a reference to it can cost.
    """
}
