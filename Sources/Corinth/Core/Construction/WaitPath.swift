// SPDX-License-Identifier: MIT

/// A path through the wait-for graph. Only made with its mutex held.
struct WaitPath {
  /// From the construction that it starts at to the one that it ends at.
  private(set) var keys: [RegistrationKey] = []
  /// The waits that it leads through, each with the construction from which it leads to that.
  private(set) var waits: [(wait: Wait, construction: Construction)] = []
  /// The goal that it ends at.
  let end: Construction

  /// The first path from `start` to one of `goals`, depth first; `nil` when there is none.
  ///
  /// - Complexity: O(*n* + *m*) in the numbers of constructions under way and of waits.
  static func find(from start: Construction, to goals: [ResolutionContext]) -> WaitPath? {
    if goals.isEmpty { return nil }
    var visited: [Construction] = []
    return find(from: start, to: goals, &visited)
  }

  private static func find(
    from construction: Construction, to goals: [ResolutionContext], _ visited: inout [Construction]
  ) -> WaitPath? {
    if goals.contains(where: { $0 === construction }) {
      return WaitPath(keys: [construction.key], end: construction)
    }
    if visited.contains(where: { $0 === construction }) { return nil }
    visited.append(construction)
    for wait in construction.links.waits.values {
      guard let target = wait.target,
        let depth = wait.waiting.firstIndex(where: { $0 === construction }),
        var path = find(from: target, to: goals, &visited)
      else { continue }
      let around = wait.waiting[...depth].reversed().compactMap { $0.asConstruction?.key }
      path.keys = around + path.keys
      path.waits.append((wait, construction))
      return path
    }
    for holder in construction.links.phase.holders(of: construction) {
      guard var path = find(from: holder, to: goals, &visited) else { continue }
      path.keys.insert(construction.key, at: 0)
      return path
    }
    return nil
  }
}

extension ConstructionPhase {
  /// The constructions that must come further before one in this phase does, besides those that it waits for.
  ///
  /// Early references hold up publication, not building.
  func holders(of construction: Construction) -> [Construction] {
    switch self {
    case .postponed(_, let blocker): [blocker]
    case .held: construction.links.lenders
    case .building, .initialising, .publishing, .ended: []
    }
  }
}
