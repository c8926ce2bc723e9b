// SPDX-License-Identifier: MIT

/// Named request scopes that would have to be opened within each other.
extension RegistrationGraph {
  /// A finding per circle of names: no order of opening the scopes serves all instances.
  ///
  /// The nesting of open scopes is known; for other scopes it follows from needs: an instance that
  /// needs an instance of another named scope needs the second scope around its own scope. In a
  /// circle of needs, the outermost scope lacks an instance that its instances need.
  var nestingFindings: [ValidationFinding] {
    let needs = nestingNeeds
    guard needs.count > 1 else { return [] }
    var found: Set<Name> = []
    return needs.indices.compactMap { start -> ValidationFinding? in
      guard !found.contains(needs[start].inner),
        let circle = shortestCircle(of: needs, from: needs[start].inner)
      else { return nil }
      found.formUnion(circle.map(\.inner))
      return finding(circle)
    }
  }

  /// An instance in a scope of a name that needs a scope of a different name around.
  private struct NestingNeed {
    let inner: Name
    let outer: Name
    /// The path from the instance to the needed instance, ends included.
    let way: [RegistrationRecord]
  }

  /// A need per pair of names, in the order in which the instances are registered.
  private var nestingNeeds: [NestingNeed] {
    let named = nodes.indices.filter { nodes[$0].unopenedName != nil }
    guard Set(named.map { nodes[$0].unopenedName }).count > 1 else { return [] }
    var seen: Set<[Name]> = []
    return named.ordered { nodes[$0].record.serial }.flatMap { asker in
      // Scoped instances without a name are of the asker's scope.
      ways(
        from: asker, to: { nodes[$0].unopenedName != nil },
        following: { number in
          number == asker || nodes[number].isBuiltForItsAsker
            ? successors(of: number) { $0.timing != .elsewhere } : []
        }
      ).compactMap { way -> NestingNeed? in
        guard let inner = nodes[asker].unopenedName,
          let outer = way.last.flatMap({ nodes[$0].unopenedName }), inner != outer,
          seen.insert([inner, outer]).inserted
        else { return nil }
        return NestingNeed(inner: inner, outer: outer, way: way.map { nodes[$0].record })
      }
    }
  }

  private func shortestCircle(
    of needs: [NestingNeed], from start: Name
  ) -> [NestingNeed]? {
    var reached: Set<Name> = []
    var pending: [[NestingNeed]] = [[]]
    while !pending.isEmpty {
      var next: [[NestingNeed]] = []
      for circle in pending {
        let end = circle.last?.outer ?? start
        for need in needs where need.inner == end && reached.insert(need.outer).inserted {
          if need.outer == start { return circle + [need] }
          next.append(circle + [need])
        }
      }
      pending = next
    }
    return nil
  }

  private func finding(_ circle: [NestingNeed]) -> ValidationFinding {
    var seen: Set<UInt64> = []
    let ends = circle.flatMap { [$0.way[0], $0.way[$0.way.count - 1]] }
      .filter { seen.insert($0.serial).inserted }
    let names = circle.map(\.inner.literal)
    let listed = names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
    let needs = circle.map {
      "\($0.inner.literal) within \($0.outer.literal): \($0.way.map(\.key).pathText)"
    }
    let hints = circle.enumerated().flatMap { number, need in
      ResolutionError.captive(need.way).hints.map { (number == 0 ? "" : "or ") + $0 }
    }
    return ValidationFinding(
      .captive, of: ends, path: circle[0].way.map(\.key),
      "The request scopes \(listed) would have to be opened within each other.",
      placeLines: needs + ends.placeLines(), showsPath: false, hints: hints)
  }
}

extension RegistrationGraph.Node {
  /// The name of the request scope that stores the instance, if no scope of the name is open.
  fileprivate var unopenedName: Name? {
    record.policy.isOfNamedScopes && record.keeper(around: container) == nil
      ? record.attributes.scope.scopeName?.value : nil
  }
}
