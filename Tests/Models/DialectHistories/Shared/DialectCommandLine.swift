// SPDX-License-Identifier: MIT

import Foundation

/// Runs many programs of a compatibility module.
public struct DialectCommandLine {
  private var dialects = Dialect.all
  private var seed = UInt64.random(in: 0..<1_000_000_000)
  private var count = 200_000
  private var prints = false
  private let arguments: [String]

  public init(_ arguments: [String]) {
    self.arguments = arguments
  }

  private static let usage = """
    DialectHistoryRun [--dialect NAME] [--seed N] [--count N] [--print YES]
      `--print` prints each program before it runs: the last one is that which ends the process.
      The seed of a program is the base seed and its number: `--seed N --count 1` runs it again.
      dialects: \(Dialect.all.map(\.name).joined(separator: " ")); all without a name
    """

  /// - Returns: the exit status: 0 when the modules do what their models do.
  public func run() -> Int32 {
    var run = self
    guard run.read() else {
      print(Self.usage)
      return 2
    }
    return run.dialects.allSatisfy { run.passes($0) } ? 0 : 3
  }

  private mutating func read() -> Bool {
    for index in stride(from: 0, to: arguments.count, by: 2) {
      guard index + 1 < arguments.count else { return false }
      let value = arguments[index + 1]
      switch arguments[index] {
      case "--dialect": dialects = Dialect.all.filter { $0.name == value }
      case "--seed": if let number = UInt64(value) { seed = number } else { return false }
      case "--count": if let number = Int(value) { count = number } else { return false }
      case "--print": prints = true
      default: return false
      }
    }
    return !dialects.isEmpty
  }

  private func passes(_ dialect: Dialect) -> Bool {
    let began = Date()
    var tally = Dialect.Tally()
    for number in 0..<count {
      let own = seed &+ UInt64(number)
      // The last line of a run that crashes.
      if number.isMultiple(of: 10_000) {
        print("\(dialect.name): seed \(own)")
        fflush(nil)
      }
      if prints {
        print("seed \(own)\n\(dialect.text(ofSeed: own))")
        fflush(nil)
      }
      if let failure = dialect.failure(ofSeed: own, &tally) {
        print("\(dialect.name): FAILED after \(number) programs\n\(failure)")
        return false
      }
    }
    let seconds = Int(Date().timeIntervalSince(began))
    print("\(dialect.name): no difference in \(count) programs, \(seconds) s")
    for (outcome, times) in tally.sorted(by: { $0.key < $1.key }) {
      print("  \(outcome): \(times)")
    }
    return true
  }
}
