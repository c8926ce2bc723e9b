// SPDX-License-Identifier: MIT

import TestSupport

extension HistoryScript {
  /// The script of a seed.
  public init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // Histories differ more from one another when each has chances of its own.
    var generator = Generator(weights: (0..<6).map { _ in Int.random(in: 0...8, using: &random) })
    collides = Int.random(in: 0..<4, using: &random) == 0
    prelude = []
    for key in 0..<Self.keys where Bool.random(using: &random) {
      prelude.append(Operation(.override(generator.registration(&random)), key: key))
      if Bool.random(using: &random) { prelude.append(Operation(.resolve(.plain), key: key)) }
    }
    threads = (0..<Int.random(in: 3...4, using: &random)).map { _ in
      (0..<Int.random(in: 2...6, using: &random)).map { _ in generator.operation(&random) }
    }
  }

  private struct Generator {
    /// Of each kind of operation.
    let weights: [Int]
    private var registrations = 0

    init(weights: [Int]) {
      self.weights = weights
    }

    mutating func registration(_ random: inout SeededGenerator) -> Registration {
      registrations += 1
      let lifetimes: [Lifetime] = [.singleton, .singleton, .singleton, .transient, .weak, .cached]
      return Registration(registrations, lifetimes.randomElement(using: &random) ?? .singleton)
    }

    mutating func operation(_ random: inout SeededGenerator) -> Operation {
      var operation = Operation(kind(&random), key: Int.random(in: 0..<keys, using: &random))
      operation.pauses.before = pause(yields: 1, &random)
      // A factory that takes its time is what most other operations overlap with.
      operation.pauses.inside = pause(yields: 5, &random)
      return operation
    }

    private mutating func kind(_ random: inout SeededGenerator) -> Kind {
      // Resolves find out what the others do.
      let resolves = 6 + weights[5]
      var choice = Int.random(in: 0..<weights[..<5].reduce(resolves, +), using: &random)
      for (index, weight) in weights[..<5].enumerated() {
        if choice < weight { return other(index, &random) }
        choice -= weight
      }
      return .resolve(Resolve.allCases.randomElement(using: &random) ?? .plain)
    }

    private mutating func other(_ index: Int, _ random: inout SeededGenerator) -> Kind {
      switch index {
      case 0: .register(registration(&random))
      case 1: .override(registration(&random))
      case 2: .unregister
      case 3: .contains(View.allCases.randomElement(using: &random) ?? .own)
      default: .release
      }
    }

    /// - Parameter yields: how many of eight pauses let another thread run. Short ones are one in
    ///   eight.
    private func pause(yields: Int, _ random: inout SeededGenerator) -> Pause {
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<yields: .yield
      case yields: .spin(Int.random(in: 1..<200, using: &random))
      default: .none
      }
    }
  }
}
