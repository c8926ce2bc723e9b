// SPDX-License-Identifier: MIT

/// Captive dependencies: instances of a request scope that a longer-lived instance needs.
extension RegistrationGraph {
  /// A finding per scoped instance that a longer-lived instance would keep.
  var captiveFindings: [ValidationFinding] {
    guard nodes.contains(where: \.isOfScopes) else { return [] }
    let leadsToCaptives = leadsToCaptives
    var seen: Set<[UInt64]> = []
    return nodes.indices.filter {
      nodes[$0].mayBeCaptor && leadsToCaptives[$0]
    }.flatMap { captor in
      // Through unstored instances, or instances of the captor's scope or its registration's scope.
      ways(
        from: captor, to: { nodes[captor].isCaptor(of: nodes[$0]) },
        following: { number in
          number == captor
            || nodes[number].isBuiltForItsAsker && !nodes[captor].isCaptor(of: nodes[number])
            ? successors(of: number) { $0.timing != .elsewhere }
              .filter { leadsToCaptives[$0] } : []
        })
    }.filter { way in
      seen.insert([way[0], way[way.count - 1]].map { nodes[$0].record.serial }).inserted
    }.map { way in
      finding(way.map { nodes[$0].record }, from: nodes[way[0]].container)
    }
  }

  /// - Parameter container: the container that resolves the first registration's dependencies.
  private func finding(
    _ way: [RegistrationRecord], from container: ContainerCore
  ) -> ValidationFinding {
    let (captor, captive) = (way[0], way[way.count - 1])
    let error =
      captive.policy.isOfNamedScopes && captive.isBelowScope(around: container)
      ? captive.refusalBelowScope : ResolutionError.captive(way)
    return ValidationFinding(
      captive.isInput ? .missingInput : .captive, of: [captor, captive], path: way.map(\.key),
      error.firstLine, hints: error.hints)
  }

  /// For every node, whether the node is scoped, or leads through unstored nodes to a scoped node.
  ///
  /// Searched back from scoped nodes, once for all captors: many captors may share long paths.
  private var leadsToCaptives: [Bool] {
    let askers = dependents { $0.timing != .elsewhere }
    var leads = nodes.map(\.isOfScopes)
    var pending = nodes.indices.filter { leads[$0] }
    while let target = pending.popLast() {
      for asker in askers[target] where !leads[asker] {
        leads[asker] = true
        if !nodes[asker].isStored { pending.append(asker) }
      }
    }
    return leads
  }
}

extension ResolutionError {
  /// The error of a path whose first registration would keep an instance of the last.
  static func captive(_ way: [RegistrationRecord]) -> ResolutionError {
    let (captor, captive) = (way[0], way[way.count - 1])
    let context = Context(
      refusing: captive.key, capturedBy: Captor(key: captor.key, location: captor.location),
      ofScope: captive.attributes.scope.scopeName)
    return captive.isInput ? .scopeInputMissing(context) : .captiveDependency(context)
  }
}

extension RegistrationGraph.Node {
  /// Whether an instance is built for its dependent alone, or for the dependent's request scope.
  var isBuiltForItsAsker: Bool {
    !isStored && !record.isInput && !record.policy.isOfNamedScopes
  }

  fileprivate var isOfScopes: Bool {
    record.isInput || record.policy.storage == .requestScope
  }

  fileprivate var isStored: Bool { record.policy.storage == .registration }

  /// Whether the instance is stored in a place that may lie outside of some request scopes.
  fileprivate var mayBeCaptor: Bool {
    isStored && !record.isInput || isOfKnownNamedScope
  }

  /// Whether an open request scope of a name stores the instance: only then are outer scopes known.
  private var isOfKnownNamedScope: Bool {
    record.policy.isOfNamedScopes && record.keeper(around: container) != nil
  }

  /// Whether the instance is stored where none of another's request scopes is around.
  fileprivate func isCaptor(of other: Self) -> Bool {
    guard other.isOfScopes else { return false }
    if other.record.policy.isOfNamedScopes { return other.record.keeper(around: container) == nil }
    return isStored && container.scope == nil
  }
}
