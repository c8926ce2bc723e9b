// SPDX-License-Identifier: MIT

/// A way through the wait-for graph. Only made with its mutex held.
struct Route {
  /// From the construction that it starts at to the one that it ends at.
  private(set) var keys: [RegistrationKey] = []
  /// The waits that it leads through, each with the construction that it comes by to it.
  private(set) var waits: [(wait: Wait, construction: Construction)] = []
  /// The goal that it ends at.
  let end: Construction

  /// The first way from `start` to one of `goals`, depth first; `nil` when there is none.
  static func find(from start: Construction, to goals: [Construction]) -> Route? {
    if goals.isEmpty { return nil }
    var visited: [Construction] = []
    return find(from: start, to: goals, &visited)
  }

  private static func find(
    from construction: Construction, to goals: [Construction], _ visited: inout [Construction]
  ) -> Route? {
    if goals.contains(where: { $0 === construction }) {
      return Route(keys: construction.key.map { [$0] } ?? [], end: construction)
    }
    if visited.contains(where: { $0 === construction }) { return nil }
    visited.append(construction)
    for wait in construction.links.waits {
      guard let target = wait.target,
        let depth = wait.waiting.firstIndex(where: { $0 === construction }),
        var route = find(from: target, to: goals, &visited)
      else { continue }
      route.keys = wait.waiting[...depth].reversed().compactMap(\.key) + route.keys
      route.waits.append((wait, construction))
      return route
    }
    // One that is done is held open by what it borrowed from; one that is not is not held up by it.
    var holders: [Construction] = []
    if case .succeeded = construction.links.outcome { holders = construction.links.borrowedFrom }
    if let blocker = construction.links.postponedUntil { holders.append(blocker) }
    for holder in holders {
      guard var route = find(from: holder, to: goals, &visited) else { continue }
      if let key = construction.key { route.keys.insert(key, at: 0) }
      return route
    }
    return nil
  }
}
