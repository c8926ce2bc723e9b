// SPDX-License-Identifier: MIT

import Corinth
import TestSupport

/// Registrations of all sorts in a container and, if there is one, in a child or a fork of it.
struct MixedGraph {
  enum Relation: CaseIterable {
    case alone, child, fork
  }

  enum Form: CaseIterable {
    case plain, optional, lazy, provider, lazyOptional, all, argument, input
    /// What may be missing, of a derived product.
    case optionalLazy, optionalProvider, optionalNamed
  }

  struct Need {
    let form: Form
    let target: Int
  }

  /// How it is known what a factory resolves. Decorators are closures.
  enum Knowledge: CaseIterable {
    case wired, declared, closure
  }

  enum Kind {
    case synchronous, asynchronous, value, withArgument, decorator
    case forward(to: Int)
  }

  /// What is registered under a number.
  struct Node {
    let number: Int
    let isInner: Bool
    var kind: Kind
    var lifetime: AbstractGraph.Lifetime
    var knowledge: Knowledge
    var needs: [Need]
    var isEager = false
    var needsOfAction: [Need] = []
    var awaitsInAction = false
    /// Whether the factory throws an error of its own once it has resolved everything.
    var throwsError = false

    var isDecorator: Bool { if case .decorator = kind { true } else { false } }

    var isAsynchronous: Bool {
      if case .asynchronous = kind { return true }
      return awaitsInAction && !needsOfAction.isEmpty
    }
  }

  var relation: Relation
  var hasInput: Bool
  var nodes: [Node] = []

  /// Whether declarations tell all. They are also those of decorators, and of actions.
  var isDeclaredExactly: Bool {
    nodes.allSatisfy { node in
      !node.isDecorator && (node.knowledge != .declared || node.needsOfAction.isEmpty)
    }
  }

  /// The same when all is built: what needs arguments is not.
  var isBuiltExactly: Bool {
    isDeclaredExactly || !nodes.contains { if case .withArgument = $0.kind { true } else { false } }
  }
}

extension MixedGraph {
  /// Most registrations depend on those of higher numbers, so that many graphs have no cycle.
  init(_ random: inout SeededGenerator) {
    var draw = Draw(random: random)
    relation = draw.element(of: Relation.allCases)
    hasInput = draw.chance(70)
    draw.faults = draw.chance(50) ? 1 : 6
    draw.catchesErrors = relation != .child
    for number in 0..<Draw.count where !draw.chance(draw.faults) {
      let isInner = relation != .alone && draw.chance(30)
      nodes.append(draw.node(number, isInner))
      if relation != .alone, !isInner, draw.chance(12) { nodes.append(draw.node(number, true)) }
    }
    if draw.chance(25) {
      nodes.append(
        Node(
          number: draw.chance(70) ? 0 : 5, isInner: relation != .alone && draw.chance(40),
          kind: .decorator, lifetime: .transient, knowledge: .closure,
          needs: draw.needs(after: 2, most: 1)))
    }
    random = draw.random
  }

  private struct Draw {
    static let count = PieceLabels.all.count
    var random: SeededGenerator
    /// How many per cent of the choices are bad ones.
    var faults = 0
    /// Whether factories may do without a lazy value. A recording of a child does not tell what
    /// they do in the parent.
    var catchesErrors = true

    mutating func chance(_ percent: Int) -> Bool {
      Int.random(in: 0..<100, using: &random) < percent
    }

    mutating func element<Value>(of values: [Value]) -> Value {
      values[Int.random(in: 0..<values.count, using: &random)]
    }

    mutating func target(after number: Int) -> Int {
      chance(faults) || number + 1 == Self.count
        ? Int.random(in: 0..<Self.count, using: &random)
        : Int.random(in: (number + 1)..<Self.count, using: &random)
    }

    mutating func needs(after number: Int, most: Int) -> [Need] {
      if number + 1 == Self.count, !chance(faults) { return [] }
      return (0..<Int.random(in: 0...most, using: &random)).map { _ in
        var form = chance(40) ? .plain : element(of: Form.allCases)
        if form == .lazyOptional, !catchesErrors { form = .optional }
        let isRare = form == .argument || form == .all || form == .input
        return Need(form: isRare && chance(70) ? .plain : form, target: target(after: number))
      }
    }

    mutating func node(_ number: Int, _ isInner: Bool) -> Node {
      let kind: Kind =
        switch Int.random(in: 0..<20, using: &random) {
        case 0...1:
          .forward(to: number < 3 ? min(target(after: number), 2) : max(target(after: number), 3))
        case 2...(chance(50) ? 2 : 4): .asynchronous
        case 5: .value
        case 6: .withArgument
        default: .synchronous
        }
      var knowledge = element(of: Knowledge.allCases)
      if case .withArgument = kind { knowledge = .declared }
      var node = Node(
        number: number, isInner: isInner, kind: kind,
        lifetime: element(of: AbstractGraph.Lifetime.allCases), knowledge: knowledge,
        needs: needs(after: number, most: knowledge == .wired ? 1 : 3))
      if node.lifetime == .scoped, chance(50) { node.lifetime = .transient }
      if knowledge != .wired, chance(15) {
        node.needsOfAction = needs(after: chance(30) ? -1 : number, most: 1)
        node.awaitsInAction = chance(40)
      }
      if knowledge != .wired, chance(4) { node.throwsError = true }
      if case .synchronous = kind { node.isEager = node.lifetime == .singleton && chance(30) }
      if case .asynchronous = kind { node.isEager = node.lifetime == .singleton && chance(50) }
      return node
    }
  }
}
