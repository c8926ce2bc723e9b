// SPDX-License-Identifier: MIT

import BenchmarkSupport

/// Looks for keys that are found more slowly than the rest, and measures the memory of many
/// objects.
@main
enum ScaleBenchmark {
  struct Results: Codable, Sendable {
    let shares: [MemoryRun.Share]
    let growths: [MemoryRun.Growth]
    let hits: [CacheRun.Results]
    let keys: [KeyRun.Results]
  }

  static let hitsOption = "--hits"
  static let kindOption = "--resolve"
  static let countOption = "--count"
  static let stepOption = "--step"

  static func main() throws {
    let options = Options(
      summary: "Measures memory, and cache misses and instructions of resolves of many keys.",
      [
        .init("--processes", "N", help: "how many processes resolve the keys (12, quick: 2)"),
        .init("--all", help: "look at all keys, not at 1,000 in each process: hours"),
        .init(hitsOption, "KEYS", help: nil),
        .init(kindOption, "KIND", help: nil),
        .init(countOption, "N", help: nil),
        .init(stepOption, "N", help: nil),
      ])
    refuseDebugBuild()
    if let kind = options[kindOption].flatMap(KeyRun.Kind.init) {
      try KeyRun.resolveAll(
        kind, options.number(countOption, default: 1), step: options.number(stepOption, default: 1))
      return
    }
    if options.contains(hitsOption) {
      try CacheRun.resolveAll(options.number(hitsOption, default: 1))
      return
    }

    print(Machine.current.text)
    let shares = try MemoryRun.shares()
    print(table(shares))
    let growths = try MemoryRun.growths(options.isQuick ? 200_000 : 2_000_000)
    print("\n\(table(growths))\n")
    let hits = try CacheRun.all()
    print("\(table(hits))\n")
    let progress = ProgressLine()
    let processes = options.number("--processes", default: options.isQuick ? 2 : 12)
    let keys = KeyRun.Kind.allCases.flatMap { kind in
      [100, 1_000, 10_000, 100_000].map { count in
        progress.show("\(count) \(kind.rawValue)")
        return KeyRun.measure(kind, count, processes: processes, all: options.contains("--all"))
      }
    }
    progress.clear()
    print("\(table(keys))\n\n\(legend)")
    if let path = options.json {
      Report(
        benchmark: "scale",
        results: Results(shares: shares, growths: growths, hits: hits, keys: keys)
      ).write(to: path)
    }
  }

  private static func table(_ shares: [MemoryRun.Share]) -> String {
    var table = TextTable(["bytes of one of 10,000", "figure", "limit", "budget"])
    for share in shares {
      table.add([
        share.what, String(share.bytes, decimals: 0),
        share.limit.map { String($0, decimals: 0) } ?? "-",
        share.limit.map { share.bytes <= $0 ? "met" : "missed" } ?? "-",
      ])
    }
    return table.text
  }

  private static func table(_ growths: [MemoryRun.Growth]) -> String {
    var table = TextTable(["bytes in use", "count", "after a tenth", "after all", "growth"])
    for growth in growths {
      table.add([
        growth.what, "\(growth.count)", "\(growth.before)", "\(growth.after)",
        "\(growth.after - growth.before)",
      ])
    }
    return table.text
  }

  private static func table(_ hits: [CacheRun.Results]) -> String {
    var table = TextTable([
      "hit at a random one of", "instructions", "lines, 32 KiB", "lines, 2 MiB", "limit", "budget",
    ])
    for row in hits {
      table.add([
        "\(row.keys) names", String(row.instructions, decimals: 0),
        String(row.missesOfFirst, decimals: 2), String(row.missesOfLast, decimals: 2),
        String(CacheRun.Results.limit, decimals: 0), row.isMet ? "met" : "missed",
      ])
    }
    return table.text
  }

  private static func table(_ keys: [KeyRun.Results]) -> String {
    var table = TextTable([
      "instructions of a resolve", "median", "p99", "worst", "worst/median", "above 1.3",
      "limit", "budget",
    ])
    for row in keys {
      table.add([
        "\(row.keys) \(row.kind.rawValue)", "\(row.median)", "\(row.p99)", "\(row.worst)",
        String(row.worstToMedian, decimals: 2), "\(String(row.unlucky * 100, decimals: 2)) %",
        String(KeyRun.Results.limit, decimals: 2), row.isMet ? "met" : "missed",
      ])
    }
    return table.text
  }

  private static let legend = """
    Lines are those of 64 bytes that a cache of 32 KiB, and one of 2 MiB, does not have, as callgrind simulates them.
    Instructions are executed one at a time and counted. Median, p99 and worst are of all processes;
    worst/median is of the process where it is greatest. Types are resolved by unspecialized code.
    """
}
