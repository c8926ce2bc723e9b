// SPDX-License-Identifier: MIT

/// The registrations that a container resolves, and what each of them depends on, as far as it is known. No factory runs.
///
/// A node is a registration together with the container in which its dependencies are resolved: a transient that a child
/// asks for and one that a singleton of the parent asks for are two. Nodes are numbered in the order of a search in
/// breadth, so the way by which one was met first is a shortest one.
struct RegistrationGraph {
  struct Node {
    let record: RegistrationRecord
    /// Where the dependencies are resolved.
    let container: ContainerCore
    /// The node that led here; `nil` where the search began.
    let origin: Int?
    var edges: [Edge] = []
    var areDependenciesKnown = true
    /// Whether a run of its factory was recorded to its end.
    var hasReturned = false
  }

  struct Edge {
    let target: Target
    let timing: RecordedDependency.Timing
    var kind: DependencyKind
    var evidence: DependencyEvidence = .known
    /// Whether an `afterInit` action may be what needs it.
    var mayBeOfAction = false

    /// Whether it leads from a forward to what that serves.
    var isForward: Bool { kind == .forward }
    /// Whether a decorator needs it.
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

  /// The container that is asked.
  let container: ContainerCore
  /// The types of the inputs that each scope is given; `nil` if the caller does not say.
  let inputs: [any Any.Type]?
  /// What was recorded elsewhere, as in a fork.
  let recorded: [RecordedDependencies]
  /// Where the registrations are looked up, if the container is closing.
  let ending: EndingRegistrations?
  private(set) var nodes: [Node] = []
  /// The registrations of all nodes, each once.
  private(set) var records: [RegistrationRecord] = []
  /// The groups of registrations that all need each other, each once.
  private(set) var cyclicGroups: [[Int]] = []
  /// The number of nodes that the roots lead to.
  private(set) var reachedCount: Int?
  /// The roots that are missing.
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
    let visible = container.visibleRegistrations()
    nodes.reserveCapacity(visible.count)
    numbers.reserveCapacity(visible.count)
    if let roots {
      for edge in roots.flatMap({ edges(to: $0, in: container, .factory, from: nil) }) {
        if case .missing(let key) = edge.target { missingRoots.append(key) }
      }
      // They are built without being asked for.
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

  /// One without nodes, of a container that is closing.
  init(of container: ContainerCore, ending: EndingRegistrations) {
    self.container = container
    self.ending = ending
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
    nodes[number].edges = found
    nodes[number].hasReturned = recordings.contains {
      $0.hasCompletedRun(of: record.serial, withActions: false, [])
    }
    nodes[number].areDependenciesKnown =
      recordings.contains {
        $0.hasCompletedRun(
          of: record.serial, withActions: !record.lifecycle.afterInit.isEmpty, decorators)
      } || record.areDependenciesDeclared(container)
  }

  /// What was recorded of the container, of those that it has its registrations from, and elsewhere.
  private func recordings(of record: RegistrationRecord) -> [RecordedDependencies] {
    record.owner.searched.compactMap { $0.extrasIfMade?.recorded.load() } + recorded
  }

  /// The order in which they were resolved is not known. What only a task can build comes first, as a later one may have
  /// found it there.
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
  mutating func node(
    of record: RegistrationRecord, askedIn asked: ContainerCore, from origin: Int?
  ) -> Int {
    // What a version shares with an older one is built there.
    let record = record.served
    // Those of a scoped instance may be asked for in a scope of the container.
    let container =
      record.policy.storage == .requestScope && record.keeper(around: asked) == nil
      ? asked : record.dependencies(for: asked)
    let id = NodeID(serial: record.serial, container: ObjectIdentifier(container))
    if let known = numbers[id] { return known }
    numbers[id] = nodes.count
    nodes.append(Node(record: record, container: container, origin: origin))
    return nodes.count - 1
  }

  // MARK: - Reading

  /// The keys from where the search began to a node.
  func path(to number: Int) -> [RegistrationKey] {
    sequence(first: number) { nodes[$0].origin }.map { nodes[$0].record.key }.reversed()
  }

  /// The registrations of nodes, each once.
  func distinctRecords(of numbers: some Collection<Int>) -> [RegistrationRecord] {
    var seen = Set<UInt64>(minimumCapacity: numbers.count)
    return numbers.lazy.map { nodes[$0].record }.filter { seen.insert($0.serial).inserted }
  }

  /// The nodes that one leads to.
  func successors(of number: Int, where isFollowed: (Edge) -> Bool = { _ in true }) -> [Int] {
    nodes[number].edges.compactMap {
      guard case .node(let next) = $0.target, isFollowed($0) else { return nil }
      return next
    }
  }
}

extension RegistrationRecord {
  /// Whether the dependencies are known without a record of them.
  func areDependenciesDeclared(_ container: ContainerCore) -> Bool {
    let isDeclared = attributes.declaredDependencies != nil
    let isPlain =
      lifecycle.afterInit.isEmpty && lifecycle.customStorage == nil
      && decorators(of: container).isEmpty
    return !isFactoryUnknown && (isPlain || isDeclared)
  }

  /// Whether its instances are what request scopes are made with.
  final var isInput: Bool { attributes.isInput }
}

extension ContainerCore {
  /// The registrations that a resolve from this container finds, in the order in which they were made. Those of
  /// ancestors come first. A fork takes over those of its base by the look.
  fileprivate func visibleRegistrations() -> [RegistrationRecord] {
    // A level holds each key once: of several levels only are keys compared.
    let isAlone = parent == nil
    var seen: Set<RegistrationKey> = []
    let levels = zip(selfAndAncestors, currentRegistrationsByLevel).map { core, registrations in
      let visible =
        (isAlone ? registrations : registrations.filter { seen.insert($0.key).inserted })
        .map { (serial: $0.serial, record: $0) }.sorted { $0.serial < $1.serial }.map(\.record)
      return core.fork == nil
        ? visible : visible.compactMap { core.registeredSlot(of: $0.key)?.registration }
    }
    return levels.reversed().flatMap { $0 }.filter { !$0.isAbsence }
  }
}
