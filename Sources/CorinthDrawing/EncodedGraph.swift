// SPDX-License-Identifier: MIT

internal import Corinth

/// The fields of the JSON document, according to `graph.schema.json`.
struct EncodedGraph: Encodable {
  struct Node: Encodable {
    let id: Int
    let key: String
    let type: String
    /// The type of the instances, if another type than the key's is known.
    let implementation: String?
    let name: String?
    let arguments: String?
    let scope: String
    let kind: String
    let module: String
    let assembly: String?
    let location: String
    let level: Int
    let isEager: Bool
    let isBuilt: Bool
    let areDependenciesKnown: Bool
    let counts: Counts?
  }

  /// The counts of a key.
  struct Counts: Encodable {
    let resolves: Int
    let constructions: Int
    let failures: Int
    /// Seconds of all constructions, including constructions of dependencies.
    let constructionTime: Double
  }

  struct Edge: Encodable {
    let source: Int
    let target: Int?
    let key: String
    let kind: String
    let evidence: String
  }

  struct Finding: Encodable {
    let kind: String
    let text: String
    let nodes: [Int]
  }

  struct Snapshot: Encodable {
    let openScopes: Int
    let isDraining: Bool
    let isClosed: Bool
    /// The number of registrations that store an instance, by scope.
    let instances: [String: Int]
  }

  let format = "corinth-graph"
  let version = GraphDocument.version
  let nodes: [Node]
  let edges: [Edge]
  let cycles: [[Int]]
  let findings: [Finding]
  let snapshot: Snapshot?
  let timeline: EncodedTimeline?

  init(_ document: GraphDocument) {
    let graph = document.graph
    let unknown = Set(graph.unknown)
    let counts = Dictionary(
      document.counts.map { ($0.key, Counts($0)) }, uniquingKeysWith: { first, _ in first })
    nodes = graph.registrations.enumerated().map { id, registration in
      Node(
        registration, id, areDependenciesKnown: !unknown.contains(id), counts[registration.key])
    }
    edges = graph.edges.map { edge in
      Edge(
        source: edge.source, target: edge.target, key: "\(edge.key)", kind: edge.kind.rawValue,
        evidence: edge.evidence.rawValue)
    }
    cycles = graph.cycles
    let places = Dictionary(
      graph.registrations.enumerated().map { (Place($1.key, $1.location), $0) },
      uniquingKeysWith: { first, _ in first })
    findings = document.findings.map { finding in
      Finding(
        kind: "\(finding.kind)", text: "\(finding)",
        nodes: finding.places.compactMap { places[Place($0.key, $0.location)] })
    }
    snapshot = document.statistics.map(Snapshot.init)
    timeline = EncodedTimeline(document.constructions, of: graph)
  }
}

private struct Place: Hashable {
  let key: RegistrationKey
  let location: SourceLocation

  init(_ key: RegistrationKey, _ location: SourceLocation) {
    (self.key, self.location) = (key, location)
  }
}

extension EncodedGraph.Node {
  init(
    _ registration: ListedRegistration, _ id: Int, areDependenciesKnown: Bool,
    _ counts: EncodedGraph.Counts?
  ) {
    let key = registration.key
    self.init(
      id: id, key: "\(key)", type: "\(RegistrationKey(product: key.product))",
      implementation: registration.otherImplementation,
      name: key.isContribution ? nil : key.name.map { "\($0.base)" },
      arguments: key.argumentList,
      scope: "\(registration.scope)", kind: "\(registration.kind)", module: registration.module,
      assembly: registration.assembly, location: "\(registration.location)",
      level: registration.level,
      isEager: registration.isEager, isBuilt: registration.isBuilt,
      areDependenciesKnown: areDependenciesKnown, counts: counts)
  }
}

extension EncodedGraph.Counts {
  init(_ entry: MetricsBehavior.Entry) {
    self.init(
      resolves: entry.resolves, constructions: entry.constructions, failures: entry.failures,
      constructionTime: entry.constructionTime / .seconds(1))
  }
}

extension EncodedGraph.Snapshot {
  init(_ statistics: ContainerStatistics) {
    self.init(
      openScopes: statistics.openScopes, isDraining: statistics.isDraining,
      isClosed: statistics.isClosed,
      instances: Dictionary(
        statistics.built.map { ("\($0)", $1) }, uniquingKeysWith: +))
  }
}
