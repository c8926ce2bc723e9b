// SPDX-License-Identifier: MIT

import TestSupport

/// What is demanded of the disposers of a ``DisposalWorld``, by brute force.
struct DisposalOracle {
  typealias Kind = DisposalWorld.Kind

  private let parts: [DisposalWorld.Part]
  private let completed: [Int]
  /// Those that are disposed of, in the order of disposal.
  let order: [Int]
  /// What leads to what, hidden edges too.
  private let trueReach: [[Bool]]
  /// What is known to lead to what.
  private let knownReach: [[Bool]]
  /// Behind which of them anything may be.
  private let areUnknown: [Bool]
  /// Whether an instance may resolve later, which one whose construction is not seen may have got.
  private let mayResolveLater: Bool

  init(_ world: DisposalWorld) {
    let parts = world.parts
    let completed = world.completed.withLock { $0 }
    let order = completed.reversed().filter { parts[$0].kind.hasDisposer }
    let count = parts.count
    func isBuilt(_ number: Int) -> Bool { completed.contains(number) }

    var trueEdges = [[Bool]](repeating: .init(repeating: false, count: count), count: count)
    for (number, part) in parts.enumerated() where part.kind == .transient || isBuilt(number) {
      for edge in part.edges { trueEdges[number][edge.target] = true }
    }

    /// The edges of what a factory runs: those of transients belong to it.
    func known(of number: Int) -> (targets: [Int], isUnknown: Bool) {
      var (targets, isUnknown) = ([Int](), false)
      for edge in parts[number].edges {
        let isTransient = parts[edge.target].kind == .transient
        // What is resolved later by a closure is not seen.
        if isTransient, edge.way.isDeferred { isUnknown = true }
        if edge.way == .later, !isTransient, parts[edge.target].kind.notes, !isBuilt(edge.target) {
          continue
        }
        if !isTransient {
          targets.append(edge.target)
        } else if edge.way != .later {
          let inner = known(of: edge.target)
          targets += inner.targets
          isUnknown = isUnknown || inner.isUnknown
        }
      }
      return (targets, isUnknown)
    }
    var knownEdges = [[Bool]](repeating: .init(repeating: false, count: count), count: count)
    var areUnknown = [Bool](repeating: false, count: count)
    for number in parts.indices where isBuilt(number) {
      switch parts[number].kind {
      case .closure, .withoutDisposer, .failingOnce, .ofArgument, .keepingItsResolver:
        let (targets, isUnknown) = known(of: number)
        for target in targets { knownEdges[number][target] = true }
        areUnknown[number] = isUnknown || parts[number].kind == .keepingItsResolver
        if areUnknown[number] { knownEdges[number] = .init(repeating: false, count: count) }
      case .declared:
        for edge in parts[number].edges where !edge.isOfDecorator {
          if parts[edge.target].kind == .transient {
            areUnknown[number] = true
          } else {
            knownEdges[number][edge.target] = true
          }
        }
      case .asynchronousWithoutDisposer: areUnknown[number] = true
      case .asynchronous, .value, .transient: break
      }
    }
    mayResolveLater =
      world.hasDeferred.isSet
      || parts.indices.contains { isBuilt($0) && parts[$0].kind.notes && areUnknown[$0] }
    trueReach = Self.reach(trueEdges)
    knownReach = Self.reach(knownEdges)
    (self.parts, self.completed, self.order, self.areUnknown) = (
      parts, completed, order, areUnknown
    )
  }

  private static func reach(_ edges: [[Bool]]) -> [[Bool]] {
    var reach = edges
    for middle in reach.indices {
      for start in reach.indices where reach[start][middle] {
        for end in reach.indices where reach[middle][end] { reach[start][end] = true }
      }
    }
    return reach
  }

  private func keepsItsOrder(_ place: Int) -> Bool {
    let number = order[place]
    func lacksConstruction(_ number: Int) -> Bool {
      parts[number].kind == .asynchronous || parts[number].kind == .value
    }
    if areUnknown[number] || lacksConstruction(number) { return true }
    return parts.indices.contains { other in
      knownReach[number][other]
        && (areUnknown[other]
          || lacksConstruction(other)
            && (mayResolveLater || order.firstIndex(of: other).map { $0 < place } ?? true))
    }
  }

  /// Whether the second of two places waits for the first one.
  func waits(_ later: Int, for earlier: Int) -> Bool {
    if keepsItsOrder(later) || keepsItsOrder(earlier) { return true }
    return knownReach[order[earlier]][order[later]] || knownReach[order[later]][order[earlier]]
  }

  /// Whether a part, or what it is made of, needs another one.
  func depends(_ part: Int, on other: Int) -> Bool { trueReach[part][other] }
}
