// SPDX-License-Identifier: MIT

import Corinth

/// Runs programs, and makes those smaller that do not add up.
public struct AccountSuite: Sendable {
  public struct Failure: Sendable, CustomStringConvertible {
    public let seed: UInt64
    public let program: AccountProgram
    public let problems: [String]

    public var description: String {
      (["seed \(seed)"] + problems + ["\(program)"]).joined(separator: "\n")
    }
  }

  /// What was accounted for.
  public struct Totals: Sendable, CustomStringConvertible {
    var built = 0
    var disposed = 0
    var reported = 0

    public init() {}

    public var description: String {
      "\(built) instances built, \(disposed) disposed of, \(reported) reported"
    }
  }

  private let features: AccountFeatures

  public init(_ features: AccountFeatures) {
    self.features = features
    Reports.shared.listen()
  }

  /// Runs the programs of consecutive seeds until one fails.
  ///
  /// - Parameter body: runs before each program, with its number and what was accounted for until
  ///   then.
  public func firstFailure(
    from seed: UInt64, count: Int, _ totals: inout Totals,
    before body: (Int, Totals) -> Void = { _, _ in }
  ) -> Failure? {
    for number in 0..<count {
      let own = seed &+ UInt64(number)
      let program = AccountProgram(seed: own, features)
      body(number, totals)
      let trial = AccountTrial(program)
      let problems = trial.run(patience: 60)
      let counts = trial.ledger.counts
      totals.built += counts.built
      totals.disposed += counts.disposed
      totals.reported += counts.reported
      if !problems.isEmpty { return Failure(seed: own, program: program, problems: problems) }
    }
    return nil
  }

  /// The smallest program found that fails as well; `nil` when the failure was not seen again.
  ///
  /// - Parameter rounds: the number of runs without a failure after which a program counts as
  ///   right.
  public func shrink(_ failure: Failure, rounds: Int = 300) -> Failure? {
    guard var smallest = again(failure.program, failure.seed, rounds) else { return nil }
    var attempts = 300
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for candidate in smallest.program.smallerOnes {
        attempts -= 1
        if attempts == 0 { return smallest }
        guard let found = again(candidate, failure.seed, rounds) else { continue }
        (smallest, isSmaller) = (found, true)
        break
      }
    }
    return smallest
  }

  private func again(_ program: AccountProgram, _ seed: UInt64, _ rounds: Int) -> Failure? {
    for _ in 0..<rounds {
      let problems = AccountTrial(program).run(patience: 3)
      if !problems.isEmpty { return Failure(seed: seed, program: program, problems: problems) }
    }
    return nil
  }
}

extension AccountProgram {
  /// The program without one of its parts, the largest first.
  fileprivate var smallerOnes: [AccountProgram] {
    var programs: [AccountProgram] = []
    func add(_ change: (inout AccountProgram) -> Void) {
      var smaller = self
      change(&smaller)
      programs.append(smaller)
    }
    for index in threads.indices where threads.count > 1 { add { $0.threads.remove(at: index) } }
    let last = containers.count - 1
    if last > 0, !threads.operations.contains(where: { $0.container == last }) {
      add { $0.containers.removeLast() }
    }
    let used = threads.operations.compactMap(\.key) + keys.compactMap(\.need)
    if keys.count > 1, !used.contains(keys.count - 1) { add { $0.keys.removeLast() } }
    for thread in threads.indices {
      for index in threads[thread].operations.indices {
        add { $0.threads[thread].operations.remove(at: index) }
        if threads[thread].operations[index].container > 0 {
          add { $0.threads[thread].operations[index].container = 0 }
        }
      }
    }
    for (index, key) in keys.enumerated() {
      if key.need != nil {
        add {
          $0.keys[index].need = nil
          $0.keys[index].resolvesAtTheEnd = false
        }
      }
      if key.resolvesAtTheEnd { add { $0.keys[index].resolvesAtTheEnd = false } }
      if key.isAsync { add { $0.keys[index].isAsync = false } }
      if key.factoryFailsEvery > 0 { add { $0.keys[index].factoryFailsEvery = 0 } }
      if key.actionFailsEvery != nil { add { $0.keys[index].actionFailsEvery = nil } }
      if key.disposer == .async { add { $0.keys[index].disposer = .sync } }
      if key.between != .nothing { add { $0.keys[index].between = .nothing } }
      if key.chainsScope { add { $0.keys[index].chainsScope = false } }
      if key.actsFirst { add { $0.keys[index].actsFirst = false } }
    }
    return programs
  }
}

extension [AccountProgram.Thread] {
  fileprivate var operations: [AccountProgram.Operation] { flatMap(\.operations) }
}
