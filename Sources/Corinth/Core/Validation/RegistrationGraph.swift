// SPDX-License-Identifier: MIT

/// The graph of a container's registrations and their known dependencies. No factory runs.
///
/// A node is a registration with the container that resolves the dependencies: a transient is one
/// node for a child that asks, and a second node for a singleton of the parent. Nodes are numbered
/// in breadth-first order, so the path by which a node was met first is a shortest path.
struct RegistrationGraph {
  struct Node {
    let record: RegistrationRecord
    /// Where the dependencies are resolved.
    let container: ContainerCore
    /// The node that led here; `nil` where the search began.
    let origin: Int?
    var edges: [Edge] = []
    var areDependenciesKnown = true
    /// Whether the recording of a run of the factory has reached the end of the run.
    var hasReturned = false
  }

  struct Edge {
    let target: Target
    let timing: RecordedDependency.Timing
    var kind: DependencyKind
    var evidence: DependencyEvidence = .known
    /// Whether an `afterInit` action may be the part that needs the target.
    var mayBeOfAction = false

    /// Whether the edge leads from a forward to the target of the forward.
    var isForward: Bool { kind == .forward }
    /// Whether a decorator needs the target.
    var isOfDecorator: Bool { kind == .decorator }
  }

  enum Target {
    case node(Int)
    /// Indirect, as edges are many, and most lead to a node.
    indirect case missing(RegistrationKey)
  }

  private struct NodeID: Hashable {
    let serial: UInt64
    let container: ObjectIdentifier
  }

  /// The container of the validation.
  let container: ContainerCore
  /// The types of a scope's inputs; `nil` if the caller does not say.
  let inputs: [any Any.Type]?
  /// Dependencies recorded elsewhere, as in a fork.
  let recorded: [RecordedDependencies]
  /// Whether everything was built once, in a fork, for the recording.
  var isDryRun: Bool { !recorded.isEmpty }
  /// Where the registrations are looked up, if the container is closing.
  let ending: EndingRegistrations?
  /// The notes of the instances, if the container closes with disposers side by side.
  let notes: EndingNotes?
  private(set) var nodes: [Node] = []
  /// The registrations of all nodes, without duplicates.
  private(set) var records: [RegistrationRecord] = []
  /// The groups of mutually dependent registrations, without duplicates.
  private(set) var cyclicGroups: [[Int]] = []
  /// The number of nodes that the roots lead to.
  private(set) var reachedCount: Int?
  /// The roots without a registration.
  private(set) var missingRoots: [RegistrationKey] = []
  private var numbers: [NodeID: Int] = [:]
  private var explored = 0

  init(
    of container: ContainerCore, roots: [RegistrationKey]?, inputs: [any Any.Type]?,
    recorded: [RecordedDependencies]
  ) {
    self.container = container
    self.inputs = inputs
    self.recorded = recorded
    ending = nil
    notes = nil
    let visible = container.visibleRegistrations()
    nodes.reserveCapacity(visible.count)
    numbers.reserveCapacity(visible.count)
    if let roots {
      for edge in roots.flatMap({ edges(to: $0, in: container, .factory, from: nil) }) {
        if case .missing(let key) = edge.target { missingRoots.append(key) }
      }
      // Eager registrations are built without being asked for.
      for record in visible where record.attributes.isEager {
        _ = node(of: record, askedIn: container, from: nil)
      }
      explore()
      reachedCount = nodes.count
    }
    for record in visible { _ = node(of: record, askedIn: container, from: nil) }
    explore()
    numbers = [:]
    records = distinctRecords(of: nodes.indices)
    cyclicGroups = distinctCyclicGroups()
  }

  /// An empty graph, of a container that is closing.
  init(of container: ContainerCore, ending: EndingRegistrations, _ notes: EndingNotes?) {
    self.container = container
    self.ending = ending
    self.notes = notes
    inputs = nil
    recorded = []
  }

  mutating func explore() {
    while explored < nodes.count {
      if mayLeadToEnding(explored) { expand(explored) }
      explored += 1
    }
  }

  private mutating func expand(_ number: Int) {
    let (record, container) = (nodes[number].record, nodes[number].container)
    var found: [Edge] = []
    if let target = record.forwardedKey {
      found = edges(to: target, in: container, .factory, from: number)
      for index in found.indices { found[index].kind = .forward }
    }
    let wired = record.attributes.parameters
    for dependency in wired?.dependencies ?? [] where dependency.kinds != [.argument] {
      found += edges(toParameter: dependency.parameter, in: container, from: number)
    }
    let declared = record.attributes.declaredDependencies ?? []
    found.reserveCapacity(found.count + declared.count)
    let mayBeOfAction = !record.lifecycle.afterInit.isEmpty
    for key in declared {
      for var edge in edges(toParameter: key, in: container, from: number) {
        edge.mayBeOfAction = mayBeOfAction
        edge.evidence = .declared
        found.append(edge)
      }
    }
    let recordings = recordings(of: record)
    let recorded = recordings.reduce(into: Set<RecordedDependency>()) {
      $0.formUnion($1.dependencies(of: record.serial))
    }
    let decorators = record.decorators(of: container)
    let numbers = Set(decorators.map(\.number))
    for dependency in inOrder(recorded, container)
    where dependency.decorator.map(numbers.contains) ?? true {
      for var edge in edges(to: dependency, in: container, ofWired: wired != nil, from: number) {
        if dependency.decorator != nil { edge.kind = .decorator }
        edge.evidence = .recorded
        found.append(edge)
      }
    }
    let noted = edges(found, ofNoted: number)
    nodes[number].edges = noted ?? found
    nodes[number].hasReturned = recordings.contains {
      $0.hasCompletedRun(of: record.serial, withActions: false, [])
    }
    nodes[number].areDependenciesKnown =
      recordings.contains {
        $0.hasCompletedRun(
          of: record.serial, withActions: !record.lifecycle.afterInit.isEmpty, decorators)
      } || areDependenciesDeclared(by: record, decorators)
  }

  /// Whether the dependencies are known without a recording.
  private func areDependenciesDeclared(
    by record: RegistrationRecord, _ decorators: [Decorator]
  ) -> Bool {
    if record.isFactoryUnknown { return false }
    let isPlain =
      record.lifecycle.afterInit.isEmpty && record.lifecycle.customStorage == nil
      && decorators.isEmpty
    return isPlain || record.attributes.declaredDependencies != nil
  }

  /// The recordings of the container, of containers that gave it registrations, and from elsewhere.
  private func recordings(of record: RegistrationRecord) -> [RecordedDependencies] {
    let owner = isOwnerGone(record) ? nil : record.owner
    return (owner?.searched.compactMap { $0.extrasIfMade?.recorded.load() } ?? []) + recorded
  }

  /// The order of the resolves is unknown. Registrations that only a task can build come first: a
  /// synchronous dependent that was resolved later may have found the instance ready.
  private func inOrder(
    _ dependencies: Set<RecordedDependency>, _ container: ContainerCore
  ) -> [RecordedDependency] {
    let keyed = dependencies.map { dependency in
      let record = container.registeredSlot(of: dependency.key)?.registration
      // Through forwards too.
      let isAwaited = container.registration(behind: dependency.key)?.isAsynchronous ?? false
      return (order: (isAwaited ? 0 : 1, record?.serial ?? .max), dependency: dependency)
    }
    return keyed.sorted { $0.order < $1.order }.map(\.dependency)
  }

  /// The number of a registration's node, made if there is none.
  @inline(never) mutating func node(
    of record: RegistrationRecord, askedIn asked: ContainerCore, from origin: Int?
  ) -> Int {
    // A registration that a version shares with an older version is built in the older version.
    let record = record.served
    // The dependencies of a scoped instance may be asked for in a scope of the container.
    let isAskedInScope =
      record.policy.storage == .requestScope
      && (isOwnerGone(record) || record.keeper(around: asked) == nil)
    let container = isAskedInScope ? asked : record.dependencies(for: asked)
    let id = NodeID(serial: record.serial, container: ObjectIdentifier(container))
    if let known = numbers[id] { return known }
    numbers[id] = nodes.count
    nodes.append(Node(record: record, container: container, origin: origin))
    return nodes.count - 1
  }

  /// Whether the container of an ending scope's registration may have ended: a child of the scope.
  private func isOwnerGone(_ record: RegistrationRecord) -> Bool {
    guard let ending, record.policy.storage == .requestScope else { return false }
    return record.owner(around: ending.container) == nil
  }

  // MARK: - Reading

  /// The keys from where the search began to a node.
  func path(to number: Int) -> [RegistrationKey] {
    sequence(first: number) { nodes[$0].origin }.map { nodes[$0].record.key }.reversed()
  }

  /// The registrations of nodes, without duplicates.
  func distinctRecords(of numbers: some Collection<Int>) -> [RegistrationRecord] {
    var seen = Set<UInt64>(minimumCapacity: numbers.count)
    return numbers.lazy.map { nodes[$0].record }.filter { seen.insert($0.serial).inserted }
  }

  /// The targets of a node's edges.
  func successors(of number: Int, where isFollowed: (Edge) -> Bool = { _ in true }) -> [Int] {
    nodes[number].edges.compactMap {
      guard case .node(let next) = $0.target, isFollowed($0) else { return nil }
      return next
    }
  }
}
