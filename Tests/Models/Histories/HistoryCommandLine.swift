// SPDX-License-Identifier: MIT

import Foundation

/// Runs many histories, for hours if need be.
public struct HistoryCommandLine {
  private var seed = UInt64.random(in: 0..<1_000_000_000)
  private var count = 500_000
  private var fault: ModelSubject.Fault?
  private let arguments: [String]

  public init(_ arguments: [String]) {
    self.arguments = arguments
  }

  private static let usage = """
    HistoryRun [--seed N] [--count N] [--fault NAME]
      The seed of a history is the base seed and its number: `--seed N --count 1` makes one again.
      A fault has the histories made on a model that has it, to see it found:
      \(ModelSubject.Fault.allCases.map { "\($0)" }.joined(separator: " "))
    """

  /// - Returns: the exit status: 0 when all histories are right.
  public func run() -> Int32 {
    var run = self
    guard run.read() else {
      print(Self.usage)
      return 2
    }
    return run.runHistories()
  }

  private mutating func read() -> Bool {
    for index in stride(from: 0, to: arguments.count, by: 2) {
      guard index + 1 < arguments.count else { return false }
      let value = arguments[index + 1]
      switch arguments[index] {
      case "--seed":
        guard let number = UInt64(value) else { return false }
        seed = number
      case "--count":
        guard let number = Int(value) else { return false }
        count = number
      case "--fault":
        guard let found = ModelSubject.Fault.allCases.first(where: { "\($0)" == value }) else {
          return false
        }
        fault = found
      default: return false
      }
    }
    return true
  }

  private func runHistories() -> Int32 {
    print("seed \(seed), \(count) histories")
    let runner = HistoryRunner { [fault] script, tracker in
      if let fault { ModelSubject(fault, tracker) } else { ContainerSubject(script, tracker) }
    }
    let began = Date()
    var overlapping = 0
    let failure = HistorySuite(on: runner).firstFailure(from: seed, count: count) { done, new in
      overlapping += new
      guard done % 20_000 == 0 else { return }
      print("\(done) after \(Int(Date().timeIntervalSince(began))) s, \(overlapping) with overlaps")
    }
    runner.stop()
    guard let failure else {
      let seconds = Int(Date().timeIntervalSince(began))
      print("no failures in \(seconds) s, \(overlapping) histories with overlaps")
      return 0
    }
    print(failure)
    return 3
  }
}
