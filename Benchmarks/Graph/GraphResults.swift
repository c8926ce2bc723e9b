// SPDX-License-Identifier: MIT

import BenchmarkSupport

/// The figures of a run on a graph, as they are printed and written.
struct GraphResults: Codable, Sendable {
  /// Nanoseconds of the timed resolves, one clock reading included.
  struct Latency: Codable, Sendable {
    let samples: UInt64
    let samplingInterval: Int
    let p50: UInt64
    let p99: UInt64
    let p999: UInt64
    /// The figures of an empty measurement.
    let clock: UInt64
  }

  let input: String
  let packages: Int
  let edges: Int
  let absentDependencies: Int
  /// The cycles, as paths from a package back to the package.
  let cycles: [[String]]
  let longestChain: Int
  let validation: ValidationRun.Results
  let threads: Int
  let seconds: Double
  let zipfExponent: Double
  let resolves: UInt64
  let resolvesPerSecond: Double
  let latency: Latency
  let overrides: Int
  let overridesPerSecond: Double
  let retired: UInt64
  let reclaimed: UInt64
  /// How many objects waited to be reclaimed at most.
  let mostPending: UInt64
  /// Bytes, as the other two; `nil` where the system does not tell.
  let memoryAtStart: Int?
  /// `nil` when the run was not longer than the warm-up.
  let memoryAfterWarmUp: Int?
  let memoryAtEnd: Int?
  let errors: Int
}

extension GraphResults.Latency {
  init(_ latencies: LatencyHistogram) {
    samples = latencies.total
    samplingInterval = Load.samplingInterval
    p50 = latencies.percentile(0.5)
    p99 = latencies.percentile(0.99)
    p999 = latencies.percentile(0.999)
    clock = Self.clockNanoseconds()
  }

  private static func clockNanoseconds() -> UInt64 {
    let measurements = 10_000
    var empty = LatencyHistogram()
    for _ in 0..<measurements {
      let begin = monotonicNanoseconds()
      empty.record(monotonicNanoseconds() - begin)
    }
    return empty.percentile(0.5)
  }
}

extension GraphResults {
  var text: String {
    let closed = cycles.map { "            \(Self.path($0))" }
    return
      ([
        "input       \(input)",
        "graph       \(packages) packages, \(edges) edges, longest chain \(longestChain); "
          + "dependencies left out as absent: \(absentDependencies)",
        "cycles      \(cycles.count) reported, each closed by a provider",
      ] + closed + [
        "validation  \(String(validation.milliseconds, decimals: 1)) ms, no factory run; "
          + "\(validation.cycles.count) cycles found, \(validation.otherFindings) other findings"
      ] + validation.cycles.map { "            \(Self.path($0))" } + [
        "load        \(threads) threads, Zipf exponent \(zipfExponent), "
          + "\(String(seconds, decimals: 1)) s",
        "resolves    \(resolves), \(String(resolvesPerSecond / 1e6, decimals: 2)) million a second",
        "latency     p50 \(latency.p50) ns, p99 \(latency.p99) ns, p99.9 \(latency.p999) ns; "
          + "\(latency.samples) samples, the clock's \(latency.clock) ns included",
        "overrides   \(overrides), \(String(overridesPerSecond, decimals: 0)) a second",
        "reclaimed   \(reclaimed) of \(retired) objects retired, \(mostPending) at most waiting",
        "memory      \(memoryText)",
        "errors      \(errors)",
        "",
        summary,
      ]).joined(separator: "\n")
  }

  /// The measured operations, and the verdict, in words.
  private var summary: String {
    let isWell = errors == 0 && reclaimed == retired
    return """
      In short, the \(packages) packages of a real dependency graph:
        \(threads) threads resolved packages \(resolves) times while \(overrides) were overridden.
        \(isWell ? "No error, and each replaced object was freed: all is well." : "Something is wrong: see the lines 'errors' and 'reclaimed'.")
      """
  }

  /// A cycle, without the middle of a long cycle; the JSON has the whole cycle.
  private static func path(_ cycle: [String]) -> String {
    let shownAtEachEnd = 5
    let hidden = cycle.count - 2 * shownAtEachEnd
    guard hidden > 1 else { return cycle.joined(separator: " -> ") }
    let ends = cycle.prefix(shownAtEachEnd) + ["(\(hidden) more)"] + cycle.suffix(shownAtEachEnd)
    return ends.joined(separator: " -> ")
  }

  private var memoryText: String {
    let reference = memoryAfterWarmUp ?? memoryAtStart
    guard let memoryAtStart, let reference, let memoryAtEnd else { return "unknown here" }
    let change = 100 * (Double(memoryAtEnd) / Double(reference) - 1)
    let since = memoryAfterWarmUp == nil ? "the start" : "\(Int(Load.warmUpSeconds)) s"
    let parts = [
      "\(Self.mebibytes(memoryAtStart)) at the start",
      memoryAfterWarmUp.map { "\(Self.mebibytes($0)) after \(Int(Load.warmUpSeconds)) s" },
      "\(Self.mebibytes(memoryAtEnd)) at the end",
    ]
    return parts.compactMap { $0 }.joined(separator: ", ")
      + " (\(change < 0 ? "" : "+")\(String(change, decimals: 1)) % since \(since))"
  }

  private static func mebibytes(_ bytes: Int) -> String {
    "\(String(Double(bytes) / Double(1 << 20), decimals: 1)) MiB"
  }
}
