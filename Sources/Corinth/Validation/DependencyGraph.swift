// SPDX-License-Identifier: MIT

/// The registrations that a container resolves, and their dependencies as far as they are known: a value.
///
/// ```swift
/// let graph = container.graph()
/// for edge in graph.dependents(of: .init(Database.self)).edges where edge.kind == .direct {
///   print(graph.registrations[edge.source].key, "uses the database")
/// }
/// ```
///
/// The product `CorinthDrawing` draws it.
public struct DependencyGraph: Sendable {
  /// One dependency of a registration.
  public struct Edge: Sendable, Hashable {
    /// The index of the registration that has it, in ``DependencyGraph/registrations``.
    public let source: Int
    /// The index of the registration that serves it; `nil` if none does.
    public let target: Int?
    /// The key of that registration, or the one that is missing.
    public let key: RegistrationKey
    /// How the instance is handed over.
    public let kind: DependencyKind
    /// How it is known.
    public let evidence: DependencyEvidence
  }

  /// The registrations, those of parents first, then in the order in which they were made. One that has replaced another is in
  /// the place of that.
  public let registrations: [ListedRegistration]
  /// The dependencies, in the order of the registrations that have them.
  public let edges: [Edge]
  /// The indices of the registrations whose dependencies are not all known, as those of a closure that has not been recorded.
  public let unknown: [Int]
  /// The groups of registrations, by their indices, that need each other to be built.
  public let cycles: [[Int]]
}

extension DependencyGraph {
  /// The part that a registration depends on, itself included, over any number of steps.
  ///
  /// ```swift
  /// print(container.graph().dependencies(of: .init(Server.self)).registrations.map(\.key))
  /// ```
  ///
  /// - Parameter key: that of the registration. If parents have it too, the nearest is meant.
  /// - Returns: the graph of these registrations alone; an empty one if there is none of the key.
  /// - Complexity: O(*n* + *d*) in the numbers of registrations and dependencies.
  ///
  /// A value is read: takes no lock.
  public func dependencies(of key: RegistrationKey) -> DependencyGraph {
    part(from: key, neighbours { ($0.source, $0.target) })
  }

  /// The part that depends on a registration, itself included, over any number of steps.
  ///
  /// ```swift
  /// print(container.graph().dependents(of: .init(Database.self)).registrations.map(\.key))
  /// ```
  ///
  /// As ``dependencies(of:)``.
  public func dependents(of key: RegistrationKey) -> DependencyGraph {
    part(from: key, neighbours { edge in (edge.target, edge.source) })
  }

  /// A shortest way from a registration to one that it depends on.
  ///
  /// ```swift
  /// let path = container.graph().path(from: .init(Server.self), to: .init(Clock.self))
  /// ```
  ///
  /// - Returns: the keys, both ends included; `nil` if there is no such way.
  /// - Complexity: O(*n* + *d*) in the numbers of registrations and dependencies.
  ///
  /// A value is read: takes no lock.
  public func path(from source: RegistrationKey, to target: RegistrationKey) -> [RegistrationKey]? {
    guard let start = index(of: source), let goal = index(of: target) else { return nil }
    let origins = search(from: start, neighbours { ($0.source, $0.target) })
    guard origins[goal] != nil else { return nil }
    let steps = sequence(first: goal) { $0 == start ? nil : origins[$0] ?? nil }
    return steps.map { registrations[$0].key }.reversed()
  }

  /// Of each key, the registration that a resolve finds.
  package var nearestRegistrations: [RegistrationKey: Int] {
    // Those of parents come first.
    Dictionary(
      zip(registrations.map(\.key), registrations.indices), uniquingKeysWith: { _, later in later })
  }

  private func index(of key: RegistrationKey) -> Int? {
    registrations.lastIndex { $0.key == key }
  }

  private func neighbours(_ ends: (Edge) -> (from: Int?, to: Int?)) -> [[Int]] {
    var lists = [[Int]](repeating: [], count: registrations.count)
    for edge in edges {
      if case (let from?, let to?) = ends(edge) { lists[from].append(to) }
    }
    return lists
  }

  /// For each registration that is reached, the one before it on a shortest way; the start is its own.
  private func search(from start: Int, _ neighbours: [[Int]]) -> [Int?] {
    var origins = [Int?](repeating: nil, count: registrations.count)
    origins[start] = start
    var reached = [start]
    var next = 0
    while next < reached.count {
      for neighbour in neighbours[reached[next]] where origins[neighbour] == nil {
        origins[neighbour] = reached[next]
        reached.append(neighbour)
      }
      next += 1
    }
    return origins
  }

  private func part(from key: RegistrationKey, _ neighbours: [[Int]]) -> DependencyGraph {
    let origins = index(of: key).map { search(from: $0, neighbours) } ?? []
    let kept = origins.indices.filter { origins[$0] != nil }
    let places = Dictionary(uniqueKeysWithValues: zip(kept, 0...))
    return DependencyGraph(
      registrations: kept.map { registrations[$0] },
      edges: edges.compactMap { edge in
        guard let source = places[edge.source] else { return nil }
        let target = edge.target.map { places[$0] }
        // What leads out of the part is left out; what is missing stays.
        if case .some(nil) = target { return nil }
        return Edge(
          source: source, target: target ?? nil, key: edge.key, kind: edge.kind,
          evidence: edge.evidence)
      },
      unknown: unknown.compactMap { places[$0] },
      cycles: cycles.compactMap { group in
        let members = group.compactMap { places[$0] }
        return members.count == group.count ? members : nil
      })
  }
}
