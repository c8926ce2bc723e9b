// SPDX-License-Identifier: MIT

/// The registrations that a container resolves, and their known dependencies: a value.
///
/// ```swift
/// let graph = container.graph()
/// for edge in graph.dependents(of: .init(Database.self)).edges where edge.kind == .direct {
///   print(graph.registrations[edge.source].key, "uses the database")
/// }
/// ```
///
/// The product `CorinthDrawing` draws the graph.
///
/// ## Concurrency
/// A value, safe to use from any thread.
public struct DependencyGraph: Sendable {
  /// A dependency of a registration.
  public struct Edge: Sendable, Hashable {
    /// The index of the depending registration, in ``DependencyGraph/registrations``.
    public let source: Int
    /// The index of the serving registration; `nil` if no registration serves the dependency.
    public let target: Int?
    /// The key of the serving registration, or the missing key.
    public let key: RegistrationKey
    /// The way in which the instance is handed over.
    public let kind: DependencyKind
    /// The source of the knowledge about the dependency.
    public let evidence: DependencyEvidence
  }

  /// The registrations, first of parents, then in the order of registration. A replacing
  /// registration is in the place of the replaced registration.
  public let registrations: [ListedRegistration]
  /// The dependencies, in the order of the depending registrations.
  public let edges: [Edge]
  /// The indices of the registrations with dependencies that are not all known, such as a closure
  /// that has not been recorded.
  public let unknown: [Int]
  /// The groups of registrations, by their indices, that need each other to be built.
  public let cycles: [[Int]]
}

extension DependencyGraph {
  /// Returns the part on which a registration depends, the registration included, over any number
  /// of steps.
  ///
  /// ```swift
  /// print(container.graph().dependencies(of: .init(Server.self)).registrations.map(\.key))
  /// ```
  ///
  /// - Parameter key: the key of the registration. If parents also have the key, the nearest
  ///   registration counts.
  /// - Returns: the graph of the part alone; an empty graph without a registration of the key.
  /// - Complexity: O(*n* + *d*) in the numbers of registrations and dependencies.
  ///
  /// Reads a value: takes no lock.
  public func dependencies(of key: RegistrationKey) -> DependencyGraph {
    part(from: key, neighbors { ($0.source, $0.target) })
  }

  /// Returns the part that depends on a registration, the registration included, over any number of
  /// steps.
  ///
  /// ```swift
  /// print(container.graph().dependents(of: .init(Database.self)).registrations.map(\.key))
  /// ```
  ///
  /// Works like ``dependencies(of:)``.
  ///
  /// The graph is a value: takes no lock.
  public func dependents(of key: RegistrationKey) -> DependencyGraph {
    part(from: key, neighbors { edge in (edge.target, edge.source) })
  }

  /// Returns a shortest path from a registration to a direct or indirect dependency.
  ///
  /// ```swift
  /// let path = container.graph().path(from: .init(Server.self), to: .init(Clock.self))
  /// ```
  ///
  /// - Returns: the keys, both ends included; `nil` without a path.
  /// - Complexity: O(*n* + *d*) in the numbers of registrations and dependencies.
  ///
  /// Reads a value: takes no lock.
  public func path(from source: RegistrationKey, to target: RegistrationKey) -> [RegistrationKey]? {
    guard let start = index(of: source), let goal = index(of: target) else { return nil }
    let origins = search(from: start, neighbors { ($0.source, $0.target) })
    guard origins[goal] != nil else { return nil }
    let steps = sequence(first: goal) { $0 == start ? nil : origins[$0] ?? nil }
    return steps.map { registrations[$0].key }.reversed()
  }

  /// Per key, the registration that a resolve finds.
  package var nearestRegistrations: [RegistrationKey: Int] {
    // Registrations of parents come first, so the later registration is the nearest.
    Dictionary(
      zip(registrations.map(\.key), registrations.indices), uniquingKeysWith: { _, later in later })
  }

  private func index(of key: RegistrationKey) -> Int? {
    registrations.lastIndex { $0.key == key }
  }

  private func neighbors(_ ends: (Edge) -> (from: Int?, to: Int?)) -> [[Int]] {
    var lists = [[Int]](repeating: [], count: registrations.count)
    for edge in edges {
      if case (let from?, let to?) = ends(edge) { lists[from].append(to) }
    }
    return lists
  }

  /// Per reached registration, the registration before it on a shortest path; the start is its own
  /// origin.
  private func search(from start: Int, _ neighbors: [[Int]]) -> [Int?] {
    var origins = [Int?](repeating: nil, count: registrations.count)
    origins[start] = start
    var reached = [start]
    var next = 0
    while next < reached.count {
      for neighbor in neighbors[reached[next]] where origins[neighbor] == nil {
        origins[neighbor] = reached[next]
        reached.append(neighbor)
      }
      next += 1
    }
    return origins
  }

  private func part(from key: RegistrationKey, _ neighbors: [[Int]]) -> DependencyGraph {
    let origins = index(of: key).map { search(from: $0, neighbors) } ?? []
    let kept = origins.indices.filter { origins[$0] != nil }
    let places = Dictionary(uniqueKeysWithValues: zip(kept, 0...))
    return DependencyGraph(
      registrations: kept.map { registrations[$0] },
      edges: edges.compactMap { edge in
        guard let source = places[edge.source] else { return nil }
        let target = edge.target.map { places[$0] }
        // Edges that lead out of the part are left out; missing dependencies stay.
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
