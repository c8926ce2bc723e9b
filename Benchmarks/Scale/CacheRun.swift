// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth

/// The lines of memory that a hit of one of many keys has to fetch: callgrind simulates the caches,
/// whatever the machine's caches are.
enum CacheRun {
  /// The figures of one hit.
  struct Results: Codable, Sendable {
    let keys: Int
    let instructions: Double
    /// Lines missing from a cache of 32 KiB: all lines that the hits just before have not fetched.
    let missesOfFirst: Double
    /// Lines missing from a cache of 2 MiB as well.
    let missesOfLast: Double

    var isMet: Bool { missesOfFirst <= Self.limit }

    /// The key, its entry, the record and the instance.
    static let limit = 4.0
  }

  private static let hits = 20_000

  /// In a process that callgrind looks at: resolves names in no order that a cache could know.
  static func resolveAll(_ count: Int) throws {
    let container = Container()
    let names = (0..<count).map { Name("service \($0)") }
    for name in names {
      try container.register(Product.self, name: name, scope: .singleton) { _ in Product() }
    }
    // The order differs from the order of registering: an instance then does not lie beside the
    // registration.
    for index in names.indices.shuffled() {
      blackHole(try container.resolve(Product.self, name: names[index]))
    }
    let order = (0..<hits).map { _ in UInt32.random(in: 0..<UInt32(count)) }
    try countedHits(container, names, order)
  }

  static func all() throws -> [Results] {
    let program = try StrippedCopy()
    defer { program.remove() }
    return try [1_000, 10_000, 63_000].map { count in
      let (figures, output) = try program.collect(
        during: "countedHits",
        options: ["--cache-sim=yes", "--D1=32768,8,64", "--LL=2097152,16,64"],
        arguments: [ScaleBenchmark.hitsOption, "\(count)"])
      // Instructions, reads, writes, then the misses of these in the first caches, and in the last.
      guard let figures else { fail("valgrind failed:\n\(output)") }
      // Callgrind leaves out zeros at the end.
      let all = figures + [Int](repeating: 0, count: max(0, 9 - figures.count))
      let ofEach = all.map { Double($0) / Double(hits) }
      return Results(
        keys: count, instructions: ofEach[0], missesOfFirst: ofEach[4] + ofEach[5],
        missesOfLast: ofEach[7] + ofEach[8])
    }
  }

  /// Callgrind finds the function by its name.
  @inline(never)
  private static func countedHits(
    _ container: Container, _ names: [Name], _ order: [UInt32]
  ) throws {
    for index in order { blackHole(try container.resolve(Product.self, name: names[Int(index)])) }
  }
}

private final class Product: Sendable {}
