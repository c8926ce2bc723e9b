// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Foundation

/// Measures the cost of overrides for requests beside them, and the cost of a million overrides.
@main
enum OverridesBenchmark {
  struct Results: Codable, Sendable {
    struct Overrides: Codable, Sendable {
      let company: OverrideRun.Company
      let count: Int
      let outcome: OverrideRun.Outcome
      let calls: SystemCalls
    }

    let latencies: [RequestLatency]
    let overrides: [Overrides]
  }

  private static let companyOption = "--beside"
  private static let countOption = "--count"

  static func main() throws {
    let options = Options(
      summary: "Measures requests beside overrides, and a million overrides beside readers.",
      [
        .init("--seconds", "N", help: "how long to measure requests (12, quick: 3)"),
        .init(countOption, "N", help: "how many overrides (1000000, quick: 100000)"),
        .init(companyOption, "WHO", help: nil),
      ])
    refuseDebugBuild()
    let count = options.number(countOption, default: options.isQuick ? 100_000 : 1_000_000)
    if let company = options[companyOption].flatMap(OverrideRun.Company.init) {
      let outcome = try OverrideRun.run(company.count(of: count), beside: company)
      print(String(decoding: try JSONEncoder().encode(outcome), as: UTF8.self))
      return
    }

    print(Machine.current.text)
    let latencies = try RequestLatency.measure(
      seconds: options.number("--seconds", default: options.isQuick ? 3.0 : 12.0))
    print(table(latencies))
    let overrides = try OverrideRun.Company.allCases.map { try measure($0, count) }
    print("\n\(table(overrides))\n\n\(legend)")
    if let path = options.json {
      Report(benchmark: "overrides", results: Results(latencies: latencies, overrides: overrides))
        .write(to: path)
    }
  }

  /// In separate processes: once for the time, and once for strace, which slows the process down.
  private static func measure(
    _ company: OverrideRun.Company, _ count: Int
  ) throws -> Results.Overrides {
    guard let program = Bundle.main.executablePath else { fail("Cannot find this program's file.") }
    let command = [program, companyOption, company.rawValue, countOption, "\(count)"]
    let result = try run(command)
    guard result.status == 0 else { fail("\(command) failed: \(result.errorOutput)") }
    return Results.Overrides(
      company: company, count: company.count(of: count),
      outcome: try JSONDecoder().decode(
        OverrideRun.Outcome.self, from: Data(result.output.utf8)),
      calls: try SystemCalls(of: command))
  }

  private static func table(_ latencies: [RequestLatency]) -> String {
    var table = TextTable(
      ["ns for a request, clock included", "p50", "p99", "p99.9", "overrides/s", "budget"])
    let limit = latencies.first { $0.column == .mutex }?.p99 ?? 0
    for latency in latencies {
      table.add([
        latency.column.rawValue, "\(latency.p50)", "\(latency.p99)", "\(latency.p999)",
        String(latency.overridesPerSecond, decimals: 0),
        latency.column == .corinth ? (latency.p99 <= limit ? "met" : "missed") : "-",
      ])
    }
    return table.text
  }

  private static func table(_ overrides: [Results.Overrides]) -> String {
    var table = TextTable([
      "overrides beside", "count", "ns each", "waiting at most", "ms until the last", "membarrier",
      "futex", "system calls",
    ])
    for row in overrides {
      table.add([
        row.company.rawValue, "\(row.count)", String(row.outcome.nanoseconds, decimals: 0),
        "\(row.outcome.mostWaiting)",
        row.outcome.millisecondsUntilLast.map { String($0, decimals: 1) } ?? "> 10,000",
        "\(row.calls.membarrier)", "\(row.calls.futex)", "\(row.calls.all)",
      ])
    }
    return table.text
  }

  private static let legend = """
    Budget: the p99 of a request is not above that of dictionaries behind mutexes. The threads of
    requests and of overrides of their singleton are two; the columns take turns.
    Waiting: replaced registrations that are not destroyed yet. Until the last: from the last override,
    or from the end of the sleep. System calls are those of the whole process, by strace.
    """
}
