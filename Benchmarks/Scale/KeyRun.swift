// SPDX-License-Identifier: MIT

import BenchmarkSupport
import CScale
import Corinth
import Foundation
import Synchronization

/// The instructions of a resolve for each of many keys, in several processes, whose keys and types
/// have different places.
enum KeyRun {
  enum Kind: String, CaseIterable, Codable, Sendable {
    case names
    case types
  }

  struct Results: Codable, Sendable {
    let kind: Kind
    let keys: Int
    /// The figures of all keys of all processes.
    let median: UInt32
    let p99: UInt32
    let worst: UInt32
    /// The ratio of the process with the greatest ratio.
    let worstToMedian: Double
    /// Keys of all processes that take more than the budget.
    let unlucky: Double

    var isMet: Bool { worstToMedian <= Self.limit }

    static let limit = 1.3
  }

  /// The number of keys examined in a process; of 10,000 keys, every tenth.
  static let most = 1_000

  /// In a process that is traced: resolves each key once at full speed, and once between two marks.
  static func resolveAll(_ kind: Kind, _ count: Int, step: Int) throws {
    let container = Container()
    switch kind {
    case .names:
      let names = (0..<count).map { Name("service \($0)") }
      for name in names {
        try container.register(Product.self, name: name, scope: .singleton) { _ in Product() }
        blackHole(try container.resolve(Product.self, name: name))
      }
      scale_begin()
      scale_mark()
      for index in stride(from: 0, to: count, by: step) {
        try resolve(names[index], from: container)
        scale_mark()
      }
    case .types:
      let types = (0..<count).map(type)
      for type in types { try register(type, in: container) }
      scale_begin()
      scale_mark()
      for index in stride(from: 0, to: count, by: step) {
        try resolve(types[index], from: container)
        scale_mark()
      }
    }
    scale_end()
  }

  static func measure(_ kind: Kind, _ count: Int, processes: Int, all: Bool) -> Results {
    let step = all ? 1 : max(1, count / most)
    let samples = inProcesses(processes) { run(kind, count, step: step).sorted() }
    let together = samples.joined().sorted()
    let median = Double(together.percentile(0.5))
    return Results(
      kind: kind, keys: count, median: together.percentile(0.5), p99: together.percentile(0.99),
      worst: together[together.count - 1],
      worstToMedian: samples.map { Double($0[$0.count - 1]) / Double($0.percentile(0.5)) }.max()
        ?? 0,
      unlucky: Double(together.count { Double($0) > median * Results.limit })
        / Double(together.count))
  }

  /// As many processes at a time as there are cores.
  private static func inProcesses(
    _ count: Int, _ sample: @escaping @Sendable () -> [UInt32]
  ) -> [[UInt32]] {
    let cores = Machine.current.cores
    let samples = Mutex<[[UInt32]]>([])
    onThreads(cores) { index in
      for _ in stride(from: index, to: count, by: cores) {
        let one = sample()
        samples.withLock { $0.append(one) }
      }
    }
    return samples.withLock { $0 }
  }

  /// The instructions of every key in one process.
  private static func run(_ kind: Kind, _ count: Int, step: Int) -> [UInt32] {
    guard let program = Bundle.main.executablePath else { fail("Cannot find this program's file.") }
    let arguments = [
      program, ScaleBenchmark.kindOption, kind.rawValue, ScaleBenchmark.countOption, "\(count)",
      ScaleBenchmark.stepOption, "\(step)",
    ]
    var counts = [UInt32](repeating: 0, count: count)
    // SAFETY: the strings and their array, which ends with nil, live until the call returns.
    var pointers = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
    let found = unsafe scale_count(&pointers, &counts, count)
    if found <= 0 {
      fail("Cannot count single instructions: that needs Linux on x86-64, and ptrace.")
    }
    return Array(counts.prefix(found))
  }

  @inline(never)
  private static func resolve(_ name: borrowing Name, from container: Container) throws {
    blackHole(try container.resolve(Product.self, name: name))
  }

  private static func register<Product: Part>(
    _ type: Product.Type, in container: Container
  ) throws {
    try container.register(type, scope: .singleton) { _ in Product() }
    blackHole(try container.resolve(type))
  }

  @inline(never)
  private static func resolve<Product: Part>(
    _ type: Product.Type, from container: Container
  ) throws {
    blackHole(try container.resolve(type))
  }

  /// A type for each number.
  private static func type(_ number: Int) -> any Part.Type {
    func pair<Rest: Part>(_ digit: any Part.Type, _ rest: Rest.Type) -> any Part.Type {
      func pair<Digit: Part>(_ digit: Digit.Type) -> any Part.Type { Pair<Digit, Rest>.self }
      return pair(digit)
    }
    var type: any Part.Type = Pair<Zero, One>.self
    var rest = number
    repeat {
      type = pair(digits[rest % digits.count], type)
      rest /= digits.count
    } while rest > 0
    return type
  }

  private static let digits: [any Part.Type] = [
    Zero.self, One.self, Two.self, Three.self, Four.self, Five.self, Six.self, Seven.self,
  ]
}

private final class Product: Sendable {}

/// Products that types are made of.
private protocol Part: AnyObject, Sendable {
  init()
}

private final class Zero: Part {}
private final class One: Part {}
private final class Two: Part {}
private final class Three: Part {}
private final class Four: Part {}
private final class Five: Part {}
private final class Six: Part {}
private final class Seven: Part {}
private final class Pair<First: Part, Second: Part>: Part {}
