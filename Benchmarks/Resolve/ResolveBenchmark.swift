// SPDX-License-Identifier: MIT

import Baselines
import BenchmarkSupport
import Corinth

/// How long does a resolve take, beside hand-written code and beside a dictionary behind a lock, and
/// what do more threads bring?
@main
enum ResolveBenchmark {
  static func main() async throws {
    let options = Options(
      summary: "Measures what each kind of resolve costs.",
      [.init("--seconds", "N", help: "about how long to measure (30, quick: 8)")])
    refuseDebugBuild()
    let seconds = options.number("--seconds", default: options.isQuick ? 8.0 : 30.0)

    print(Machine.current.text)
    let threadCounts = threadCounts(upTo: Machine.current.cores)
    let figures = try await measure(threadCounts: threadCounts, seconds: seconds)
    print(sections(Tables(figures: figures, threadCounts: threadCounts)).joined(separator: "\n\n"))
    if let path = options.json { Report(benchmark: "resolve", results: figures).write(to: path) }
  }

  private static func measure(threadCounts: [Int], seconds: Double) async throws -> [Figure] {
    let columns: [Column: Workloads] = [
      .corinth: try corinthWorkloads(),
      .direct: directWorkloads(),
      .mutex: try lockedWorkloads(MutexContainer()),
      .readWriteLock: try lockedWorkloads(ReadWriteLockContainer()),
      .actor: try await actorWorkloads(),
    ]
    let cellCount = columns.values.map(\.count).reduce(0, +) * threadCounts.count
    // Long beside what starting a thread takes, short beside a time slice of the scheduler.
    let roundNanoseconds = 3e6
    let rounds = max(5, Int(seconds * 1e9 / (Double(cellCount) * roundNanoseconds)))

    let progress = ProgressLine()
    var figures: [Figure] = []
    for (index, operation) in Operation.allCases.enumerated() {
      progress.show("\(index + 1)/\(Operation.allCases.count) \(operation.rawValue)")
      let cells = Column.allCases.flatMap { column in
        threadCounts.compactMap { threads in
          columns[column]?[operation].map { Cell(operation, column, threads: threads, $0) }
        }
      }
      let row = try await measureInAlternation(
        cells, rounds: rounds, roundNanoseconds: roundNanoseconds)
      figures += row.map { Figure($0, among: row) }
    }
    progress.clear()
    return figures
  }

  private static func sections(_ tables: Tables) -> [String] {
    tables.threadCounts.map { tables.nanoseconds(threads: $0) }
      + tables.threadCounts.dropFirst().map { tables.throughput(threads: $0) } + [Tables.legend]
  }

  /// 1, 2, 4, ... and all cores.
  private static func threadCounts(upTo cores: Int) -> [Int] {
    let powers = sequence(first: 1) { $0 * 2 }.prefix { $0 < cores }
    return powers + [cores]
  }
}
