// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// Runs many programs, for hours if need be.
public struct AccountCommandLine {
  private var seed = UInt64.random(in: 0..<1_000_000_000)
  private var count = 100_000
  private var patience = 60.0
  private var features = AccountFeatures.standard
  private var prints = false
  private let arguments: [String]

  public init(_ arguments: [String]) {
    self.arguments = arguments
  }

  private static let usage = """
    AccountRun [--seed N] [--count N] [--patience SECONDS] [--with FEATURE,FEATURE] [--print YES]
      The seed of a program is the base seed and its number: `--seed N --count 1` runs it again.
      features: \(AccountFeatures.names.map(\.name).joined(separator: " "))
    """

  /// - Returns: the exit status: 0 when all accounts are right.
  public func run() -> Int32 {
    var run = self
    guard run.read() else {
      print(Self.usage)
      return 2
    }
    if run.prints {
      print(AccountProgram(seed: run.seed, run.features))
      return 0
    }
    return run.runPrograms()
  }

  private mutating func read() -> Bool {
    for index in stride(from: 0, to: arguments.count, by: 2) {
      guard index + 1 < arguments.count else { return false }
      let value = arguments[index + 1]
      switch arguments[index] {
      case "--seed": if let number = UInt64(value) { seed = number } else { return false }
      case "--count": if let number = Int(value) { count = number } else { return false }
      case "--patience": if let number = Double(value) { patience = number } else { return false }
      case "--with":
        for name in value.split(separator: ",") {
          guard let named = AccountFeatures.names.first(where: { $0.name == name }) else {
            return false
          }
          features.insert(named.feature)
        }
      case "--print": prints = true
      default: return false
      }
    }
    return true
  }

  private func runPrograms() -> Int32 {
    print("seed \(seed), \(count) programs")
    let (began, current) = (Date(), AtomicCounter())
    endWhenStuck(current)
    let suite = AccountSuite(features)
    var totals = AccountSuite.Totals()
    let failure = suite.firstFailure(from: seed, count: count, &totals) { number, totals in
      current.add()
      // The last line of a run that crashes.
      if number.isMultiple(of: 1_000) { print("seed \(seed &+ UInt64(number)), \(totals)") }
    }
    let seconds = Int(Date().timeIntervalSince(began))
    guard let failure else {
      print("no failures in \(seconds) s: \(totals)")
      return 0
    }
    let programs = current.value
    // Not watched any more.
    current.add(-programs)
    print("FAILED after \(programs) programs:\n\(failure)")
    fflush(nil)
    print("\nthe smallest that fails as well:")
    print(suite.shrink(failure)?.description ?? "not seen again")
    return 3
  }

  /// Ends the process when a program hangs. While a failing one is made smaller, nothing is
  /// watched: it may take long.
  private func endWhenStuck(_ current: AtomicCounter) {
    let (seed, features, patience) = (seed, features, patience)
    Thread.detachNewThread {
      var last = -1
      while true {
        Thread.sleep(forTimeInterval: patience)
        let number = current.value
        if number == last, number > 0 {
          let stuck = seed &+ UInt64(number - 1)
          print("FAILED: hang after \(number) programs\nseed \(stuck)")
          print(AccountProgram(seed: stuck, features))
          fflush(nil)
          exit(3)
        }
        last = number
      }
    }
  }
}

extension AccountFeatures {
  /// What runs without being asked for.
  public static let standard: AccountFeatures = [.changes, .deinits, .halfMade]

  static let names: [(name: String, feature: AccountFeatures)] = [
    ("changes", .changes), ("deinits", .deinits), ("half-made", .halfMade),
  ]
}
