// SPDX-License-Identifier: MIT

extension Container {
  /// Returns the registrations that a resolve from this container finds, and their dependencies. No
  /// factory runs.
  ///
  /// ```swift
  /// let graph = container.graph()
  /// print(graph.path(from: .init(Server.self), to: .init(Clock.self)) ?? [])
  /// ```
  ///
  /// The graph has the registrations of this container and its parents that are not shadowed, and
  /// the shadowed registrations of a parent on which registrations of the parent depend. A version
  /// of a ``ReloadableContainer`` and the version's base container count as a single container. The
  /// dependencies are the dependencies checked by ``validate(roots:inputs:strictly:)``: the
  /// parameters of initializers, declared dependencies, and recorded dependencies. See
  /// ``DependencyGraph/unknown`` for the rest.
  ///
  /// - Complexity: O(*n* · *a* + *d*) in the numbers of registrations, assemblies and dependencies.
  ///
  /// Takes no lock for the lookup. A registration that changes meanwhile is shown as before or
  /// after the change.
  public func graph() -> DependencyGraph {
    DependencyGraph(
      RegistrationGraph(of: registry, roots: nil, inputs: nil, recorded: []), of: registry)
  }
}

extension DependencyGraph {
  /// Makes a graph with a single entry per registration; a registration with dependencies from
  /// several containers is several nodes of the validation graph.
  fileprivate init(_ graph: RegistrationGraph, of container: ContainerCore) {
    let levels = Dictionary(
      zip(container.selfAndAncestors.map { ObjectIdentifier($0) }, container.describedLevels),
      uniquingKeysWith: { first, _ in first })
    func level(of core: ContainerCore?) -> Int? { core.flatMap { levels[ObjectIdentifier($0)] } }
    let listed = graph.records.map { record in
      // Records that a version shares with an older version belong to the same container.
      let level = level(of: record.owner) ?? level(of: record.owner.baseOfLayer)
      return (record: record, level: level ?? 0, position: record.describedPosition)
    }.sorted {
      ($1.level, $0.position, $0.record.serial) < ($0.level, $1.position, $1.record.serial)
    }
    let indices = Dictionary(uniqueKeysWithValues: zip(listed.map(\.record.serial), 0...))
    let sources = graph.nodes.map { indices[$0.record.serial] }
    var lists = [EdgesOfOne](repeating: EdgesOfOne(), count: listed.count)
    for (node, source) in zip(graph.nodes, sources) {
      guard let source else { continue }
      for edge in node.edges { lists[source].add(edge, from: source, in: graph, sources) }
      lists[source].areKnown = lists[source].areKnown && node.areDependenciesKnown
    }
    registrations = listed.map { ListedRegistration($0.record, level: $0.level, in: container) }
    edges = lists.flatMap(\.edges)
    unknown = lists.indices.filter { !lists[$0].areKnown }
    cycles = graph.cyclicGroups.map { group in
      Set(group.compactMap { sources[$0] }).sorted()
    }
  }
}

/// The edges of a single registration: a single edge per target, and a further edge for a
/// decorator's dependency.
private struct EdgesOfOne {
  private struct End: Hashable {
    let target: Int?
    let missing: RegistrationKey?
    let isOfDecorator: Bool
  }

  private(set) var edges: [DependencyGraph.Edge] = []
  var areKnown = true
  private var places: [End: (index: Int, isLater: Bool)] = [:]

  mutating func add(
    _ edge: RegistrationGraph.Edge, from source: Int, in graph: RegistrationGraph, _ indices: [Int?]
  ) {
    let (target, key): (Int?, RegistrationKey) =
      switch edge.target {
      case .node(let number): (indices[number], graph.nodes[number].record.key)
      case .missing(let key): (nil, key)
      }
    // A recording has both the key for which a provider was made, and the key that the provider
    // resolved.
    let isLater = edge.kind == .direct && edge.timing == .later
    let made = DependencyGraph.Edge(
      source: source, target: target, key: key, kind: isLater ? .provider : edge.kind,
      evidence: edge.evidence)
    let end = End(
      target: target, missing: target == nil ? key : nil, isOfDecorator: edge.isOfDecorator)
    if let place = places[end] {
      guard place.isLater, !isLater else { return }
      edges[place.index] = made
      places[end]?.isLater = false
    } else {
      places[end] = (edges.count, isLater)
      edges.append(made)
    }
  }
}
