// SPDX-License-Identifier: MIT

import Corinth
import TestSupport

/// Registrations in a chain of open containers, and the request scopes of names that may be opened
/// below these.
struct NestingGraph {
  /// An open container below the root.
  enum Level {
    case child
    case scope(named: Int?)
  }

  enum Lifetime {
    case transient, graph, singleton, weak, scoped
    case named(Int)
  }

  struct Node {
    /// The container that it is registered in: 0 for the root.
    var level: Int
    var lifetime: Lifetime
    var needs: [(target: Int, byProvider: Bool)]
  }

  static let names: [Name] = ["a", Name(2), "c"]

  var levels: [Level]
  var nodes: [Node]
}

extension NestingGraph {
  /// Up to six registrations. Each depends on later ones only, so that none has a cycle.
  init(_ random: inout SeededGenerator) {
    var draw = random
    func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &draw) }
    // Many registrations are below the open scopes of their names.
    let isLow = below(3) == 0
    levels = (0..<max(isLow ? 2 : 0, below(6) - 2)).map { _ in
      below(4) == 0 ? .child : .scope(named: below(4) == 0 ? nil : below(Self.names.count))
    }
    let depth = levels.count
    // Many graphs have none that is stored by its registration, as most captors are such.
    let isStored = isLow || below(2) == 0
    let count = 2 + below(5)
    nodes = (0..<count).map { number in
      let lifetime: Lifetime =
        switch below(10) {
        case 0: .transient
        case 1: .graph
        case 2...3: .scoped
        case 4 where isStored: .singleton
        case 5 where isStored: .weak
        default: .named(below(Self.names.count))
        }
      let left = count - number - 1
      let needs = (0..<(left == 0 ? 0 : below(3))).map { _ in
        (target: number + 1 + below(left), byProvider: below(4) == 0)
      }
      let level = isLow && below(3) > 0 ? depth : below(3) == 0 ? below(depth + 1) : 0
      return Node(level: level, lifetime: lifetime, needs: needs)
    }
    random = draw
  }

  /// All orders in which the scopes of the names that are not open may be opened, or of which one
  /// has to be opened again, the outermost first.
  var nestings: [[Int]] {
    let open = levels.compactMap { if case .scope(let name) = $0 { name } else { nil } }
    var nestings: [[Int]] = [[]]
    let names = Self.names.indices.filter { !open.contains($0) || namesOpenedAgain.contains($0) }
    for _ in names {
      nestings = nestings.flatMap { nesting in
        names.filter { !nesting.contains($0) }.map { nesting + [$0] }
      }
    }
    return nestings
  }

  /// The containers, the root first, once the scopes of a nesting have been opened, and one without
  /// a name within them.
  func chain(_ nesting: [Int]) -> [Level] {
    [.child] + levels + nesting.map { .scope(named: $0) } + [.scope(named: nil)]
  }

  /// The names whose open scopes are all outside of a container that registers something for the
  /// name.
  var namesOpenedAgain: Set<Int> {
    Set(
      nodes.compactMap { node in
        guard case .named(let name) = node.lifetime,
          let scope = levels.lastIndex(where: node.isStored), scope + 1 < node.level
        else { return nil }
        return name
      })
  }

  /// Whether an instance that an open scope keeps may be one of a scope that is opened again, too.
  var isOpenScopeOneOfSeveral: Bool {
    nodes.contains { node in
      guard case .named(let name) = node.lifetime, namesOpenedAgain.contains(name) else {
        return false
      }
      return levels.lastIndex(where: node.isStored).map { $0 + 1 >= node.level } ?? false
    }
  }

  /// Whether a resolve from the innermost container of a chain succeeds. It knows no container.
  func resolves(_ number: Int, in chain: [Level]) -> Bool {
    resolves(number, in: chain, at: chain.count - 1)
  }

  private func resolves(_ number: Int, in chain: [Level], at depth: Int) -> Bool {
    let node = nodes[number]
    // It is not visible from the outside.
    if node.level > depth { return false }
    let place: Int
    switch node.lifetime {
    case .transient, .graph: place = depth
    case .singleton, .weak: place = node.level
    case .scoped, .named:
      guard let scope = (0...depth).last(where: { node.isStored(by: chain[$0]) }) else {
        return false
      }
      // The scope would keep it for longer than the registration.
      if case .named = node.lifetime, node.level > scope { return false }
      // Registered in a child of the scope, it has the dependencies of the child.
      let isOfChild =
        node.level > scope && !chain[(scope + 1)...node.level].contains(where: \.isScope)
      place = isOfChild ? node.level : scope
    }
    return node.needs.allSatisfy { resolves($0.target, in: chain, at: place) }
  }
}

extension NestingGraph.Level {
  var isScope: Bool { if case .scope = self { true } else { false } }
}

extension NestingGraph.Node {
  fileprivate func isStored(by level: NestingGraph.Level) -> Bool {
    switch (lifetime, level) {
    case (.named(let name), .scope(let other)): name == other
    case (.scoped, .scope): true
    default: false
    }
  }
}
