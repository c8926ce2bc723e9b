// SPDX-License-Identifier: MIT

import Corinth
import TestSupport

/// Registrations without a container: what they are, and what they depend on.
struct AbstractGraph {
  enum Lifetime: CaseIterable {
    case transient, graph, singleton, weak, cached, scoped
  }

  enum Form: CaseIterable {
    case plain, optional, lazy, provider
  }

  enum Kind {
    case factory
    case asynchronous
    /// Serves the instances of another one. A forward to a third one may have been registered
    /// before.
    case forward(to: Int, before: Int?)
    case input
  }

  struct Node {
    var kind: Kind
    var lifetime: Lifetime
    var isEager: Bool
    var dependencies: [(target: Int, form: Form)]
  }

  /// A number beyond the last one is that of a registration which is missing.
  var nodes: [Node]
  var roots: [Int]?
  /// Whether scopes are given the inputs.
  var givesInputs: Bool
}

extension AbstractGraph {
  /// A graph of up to nine registrations. Most of the first ones depend on later ones, so that many
  /// graphs have no cycle.
  init(_ random: inout SeededGenerator) {
    let count = Int.random(in: 2...9, using: &random)
    let isTame = Int.random(in: 0..<3, using: &random) == 0
    func chance(_ percent: Int, _ random: inout SeededGenerator) -> Bool {
      Int.random(in: 0..<100, using: &random) < percent
    }
    func target(after number: Int, _ random: inout SeededGenerator) -> Int {
      if chance(isTame ? 1 : 4, &random) { return count }
      if number + 1 < count, isTame || chance(80, &random) {
        return Int.random(in: (number + 1)..<count, using: &random)
      }
      return Int.random(in: 0..<count, using: &random)
    }
    nodes = (0..<count).map { number in
      var lifetime = Lifetime.allCases.randomElement(using: &random) ?? .transient
      if isTame, lifetime == .scoped, chance(60, &random) { lifetime = .transient }
      let isLast = number + 1 == count
      let kind: Kind =
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<2:
          .forward(
            to: target(after: number, &random),
            before: chance(20, &random) ? target(after: number, &random) : nil)
        case 2..<(isTame ? 3 : 5): .asynchronous
        case 5 where chance(50, &random): .input
        default: .factory
        }
      let isFactory =
        switch kind {
        case .factory, .asynchronous: true
        case .forward, .input: false
        }
      let isEager = isFactory && lifetime == .singleton && chance(30, &random)
      let most = isTame && isLast ? 0 : 3
      let dependencies = (0..<Int.random(in: 0...most, using: &random)).map { _ in
        (target(after: number, &random), Form.allCases.randomElement(using: &random) ?? .plain)
      }
      return Node(
        kind: kind, lifetime: lifetime, isEager: isEager,
        dependencies: isFactory ? dependencies : [])
    }
    if chance(30, &random) { roots = [Int.random(in: 0..<count, using: &random)] }
    givesInputs = chance(80, &random)
  }
}
