// SPDX-License-Identifier: MIT

import TestSupport

/// The histories of a compatibility module: random programs, run on a model of the library and on
/// the module.
protocol RandomHistories: SendableMetatype {
  associatedtype Call: CustomStringConvertible & SendableMetatype
  static func program(_ random: inout SeededGenerator) -> [Call]
  /// What each call does by the library's document.
  static func modeled(_ program: [Call]) -> [String]
  /// What each call does here.
  ///
  /// - Parameter expected: what the model has shown, which ends before a call that ends the
  ///   program.
  static func observed(_ program: [Call], following expected: [String]) -> [String]
  /// Smaller calls of the same kind.
  static func smaller(_ call: Call) -> [Call]
}

extension RandomHistories {
  static func smaller(_ call: Call) -> [Call] { [] }
}

/// A value without one element of a list of it: one for each element.
func removingOne<Value, Element>(
  of list: WritableKeyPath<Value, [Element]>, in value: Value
) -> [Value] {
  value[keyPath: list].indices.map { index in
    var smaller = value
    smaller[keyPath: list].remove(at: index)
    return smaller
  }
}

/// A compatibility module whose histories are checked.
public struct Dialect: Sendable {
  public let name: String
  private let runProgram: @Sendable (UInt64, inout Tally) -> String?
  private let textOfProgram: @Sendable (UInt64) -> String

  /// How often calls had an outcome.
  public typealias Tally = [String: Int]

  init<Histories: RandomHistories>(_ name: String, _ histories: Histories.Type) {
    self.name = name
    runProgram = { seed, tally in
      DialectSuite<Histories>(seed: seed).failure(&tally)
    }
    textOfProgram = { seed in
      DialectSuite<Histories>(seed: seed).program.map(\.description).joined(separator: "\n")
    }
  }

  /// What the program of a seed shows that differs from the model; `nil` when nothing does.
  public func failure(ofSeed seed: UInt64, _ tally: inout Tally) -> String? {
    runProgram(seed, &tally)
  }

  public func text(ofSeed seed: UInt64) -> String { textOfProgram(seed) }
}

/// The program of a seed, and smaller ones.
struct DialectSuite<Histories: RandomHistories> {
  let seed: UInt64
  let program: [Histories.Call]

  init(seed: UInt64) {
    self.seed = seed
    var random = SeededGenerator(seed: seed)
    program = Histories.program(&random)
  }

  func failure(_ tally: inout Dialect.Tally) -> String? {
    let (expected, observed) = Self.outcomes(of: program)
    for (call, outcome) in zip(program, expected) {
      tally[Self.summary(call, outcome), default: 0] += 1
    }
    guard expected != observed else { return nil }
    return report(smallest(than: program))
  }

  /// The kind of a call and the first word of what it does.
  private static func summary(_ call: Histories.Call, _ outcome: String) -> String {
    let outcome = outcome.split { !$0.isLetter }.first ?? "-"
    return "\(call.description.prefix { $0.isLetter }) \(outcome)"
  }

  private static func outcomes(of program: [Histories.Call])
    -> (expected: [String], observed: [String])
  {
    let expected = Histories.modeled(program)
    return (expected, Histories.observed(program, following: expected))
  }

  private static func fails(_ program: [Histories.Call]) -> Bool {
    let (expected, observed) = outcomes(of: program)
    return expected != observed
  }

  private func smallest(than program: [Histories.Call]) -> [Histories.Call] {
    var smallest = program
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for index in smallest.indices.reversed() {
        var candidate = smallest
        candidate.remove(at: index)
        if Self.fails(candidate) {
          (smallest, isSmaller) = (candidate, true)
          continue
        }
        for call in Histories.smaller(smallest[index]) {
          candidate = smallest
          candidate[index] = call
          if Self.fails(candidate) {
            (smallest, isSmaller) = (candidate, true)
            break
          }
        }
      }
    }
    return smallest
  }

  private func report(_ program: [Histories.Call]) -> String {
    let (expected, observed) = Self.outcomes(of: program)
    var lines = ["seed \(seed), made smaller:"]
    for (index, call) in program.enumerated() {
      guard index < expected.count, index < observed.count else { break }
      lines.append("  \(call)")
      if expected[index] == observed[index] {
        lines.append("    -> \(expected[index])")
      } else {
        lines.append("    model   -> \(expected[index])")
        lines.append("    dialect -> \(observed[index])")
      }
    }
    return lines.joined(separator: "\n")
  }
}
