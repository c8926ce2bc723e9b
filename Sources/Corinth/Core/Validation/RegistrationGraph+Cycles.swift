// SPDX-License-Identifier: MIT

/// Cycles without a deferred edge.
extension RegistrationGraph {
  /// A finding per group of mutually dependent registrations, with a shortest cycle of the group.
  var cyclicFindings: [ValidationFinding] {
    cyclicGroups.filter { group in
      !group.allSatisfy { nodes[$0].record.isForwarding }
    }.map { group in
      let cycle = shortestCycle(in: group)
      let records = cycle.map { nodes[$0].record }
      let others = group.count - cycle.count
      let otherLines =
        others == 0
        ? []
        : [quantity(others, "more registration is", "more registrations are") + " part of it"]
      let isOfDecorator =
        cycle.count == 1
        && !successors(of: cycle[0], where: { !$0.isOfDecorator }).contains(cycle[0])
      let path = (records + [records[0]]).map(\.key)
      let error = ResolutionError.circularDependencyDetected(
        ResolutionError.Context(cycle: path, isOfDecorator ? .decorator : nil))
      return ValidationFinding(
        .cyclic, of: records, path: path, error.firstLine,
        placeLines: records.placeLines() + otherLines, showsPath: false,
        hints: cycle.count == 1
          ? error.hints
          : [
            "let one of them hold a Lazy or a Provider of the next, or set a property in afterInit."
          ])
    }
  }

  /// The groups of forwards with a cycle.
  var circlesOfForwards: [[RegistrationRecord]] {
    cyclicGroups.filter { $0.allSatisfy { nodes[$0].record.isForwarding } }
      .map { shortestCycle(in: $0).map { nodes[$0].record } }
  }

  /// For every group of registrations in deferred cycles, a cycle through the first deferred edge.
  var deferredCycles: [[RegistrationRecord]] {
    func isFollowed(_ edge: Edge) -> Bool { edge.timing != .elsewhere }
    guard nodes.contains(where: { $0.edges.contains { $0.timing == .later } }) else { return [] }
    var seen: Set<UInt64> = []
    let groups = stronglyConnectedGroups(count: nodes.count) {
      successors(of: $0, where: isFollowed)
    }
    let cycles = groups.compactMap { group -> [RegistrationRecord]? in
      let members = Set(group)
      let inOrder = group.ordered { nodes[$0].record.serial }
      for start in inOrder {
        let later = successors(of: start) { $0.timing == .later }
        guard let next = later.first(where: members.contains) else { continue }
        // A registration that is asked for in several containers is in several groups.
        guard seen.insert(nodes[start].record.serial).inserted else { return nil }
        if next == start { return [nodes[start].record] }
        let way = ways(from: next, to: { $0 == start }, atMost: 1) { number in
          successors(of: number, where: isFollowed).filter(members.contains)
        }
        return ([start] + (way.first?.dropLast() ?? [])).map { nodes[$0].record }
      }
      return nil
    }
    return cycles.ordered(by: \.[0].serial)
  }

  /// The groups, every set of registrations once, and every group in the order of registration.
  func distinctCyclicGroups() -> [[Int]] {
    var seen: Set<Set<UInt64>> = []
    return cyclicComponents.filter {
      seen.insert(Set($0.map { nodes[$0].record.serial })).inserted
    }.map { $0.ordered { nodes[$0].record.serial } }
  }

  /// The nodes that must be built before a node is. Actions count only for an unshared instance: a
  /// shared instance is visible to its own resolution while actions run. If the factories at both
  /// ends have returned, a target with arguments recurs, if at all, with different arguments.
  private func requirements(of number: Int) -> [Int] {
    nodes[number].edges.compactMap { requirement($0, of: number) }
  }

  /// The target of an edge if the target must be built before the node.
  private func requirement(_ edge: Edge, of number: Int) -> Int? {
    let node = nodes[number]
    let isRequired =
      switch edge.timing {
      case .factory: !(edge.mayBeOfAction && node.record.sharesInstances)
      case .action: !node.record.sharesInstances
      case .later, .elsewhere: false
      }
    guard isRequired, case .node(let target) = edge.target,
      !node.hasReturned || !nodes[target].hasReturned || nodes[target].record.key.arguments == nil
    else { return nil }
    return target
  }

  /// The strongly connected components with a cycle.
  private var cyclicComponents: [[Int]] {
    stronglyConnectedGroups(count: nodes.count, successors: requirements).filter { group in
      group.count > 1 || requirements(of: group[0]).contains(group[0])
    }
  }

  /// A shortest cycle through the first node of a group.
  private func shortestCycle(in group: [Int]) -> [Int] {
    let members = Set(group)
    let ways = ways(
      from: group[0], to: { $0 == group[0] }, atMost: 1,
      following: { number in requirements(of: number).filter { members.contains($0) } })
    return ways.first.map { Array($0.dropLast()) } ?? group
  }

  /// Shortest paths of at least one step, both ends included, in breadth-first order.
  @inline(never) func ways(
    from start: Int, to isEnd: (Int) -> Bool, atMost limit: Int = .max,
    following next: (Int) -> [Int]
  ) -> [[Int]] {
    var found: [[Int]] = []
    var origins: [Int: Int] = [:]
    var pending = [start][...]
    while found.count < limit, let number = pending.popFirst() {
      for target in next(number) where origins[target] == nil {
        origins[target] = number
        pending.append(target)
        if isEnd(target) {
          let back = sequence(first: number) { $0 == start ? nil : origins[$0] }
          found.append(back.reversed() + [target])
        }
      }
    }
    return found
  }
}
