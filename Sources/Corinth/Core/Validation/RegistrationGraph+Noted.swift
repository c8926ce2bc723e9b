// SPDX-License-Identifier: MIT

/// The notes of all constructions of a registration's instances.
struct NotedDependencies {
  private(set) var slots: Set<NotedSlot> = []
  /// Whether each of them has noted all that it has resolved.
  private(set) var areComplete = true
  /// Whether one of the instances may resolve anything later, or was resolved for in another container.
  private(set) var areUnknown = false

  mutating func add(_ dependencies: AnyInstanceBox.Dependencies) {
    switch dependencies {
    case .nothing: break
    case .unknown: areComplete = false
    case .noted(let noted):
      switch noted.notes {
      case .slots(let slots) where !noted.isOpen: self.slots.formUnion(slots)
      case .slots, .unknown: areUnknown = true
      }
    }
  }
}

/// The notes of the instances of a container that ends.
struct EndingNotes {
  /// For the number of each registration that has an instance.
  let bySerial: [UInt64: NotedDependencies]
  /// The slots that may be noted, by their addresses.
  private let slots: [UInt: SlotReference]

  init(of container: ContainerCore, _ bySerial: [UInt64: NotedDependencies]) {
    self.bySerial = bySerial
    var slots: [UInt: SlotReference] = [:]
    for core in container.selfAndAncestors {
      core.table.forEachSlot { slots[$0.address] = $0 }
    }
    self.slots = slots
  }

  /// The key of a noted slot. Those of other tables stand for keys that were noted as well.
  func key(of note: NotedSlot) -> RegistrationKey? { slots[note.address]?.key }
}

/// How much is known of the dependencies of an instance.
enum DependencyKnowledge {
  case complete
  /// The construction was not seen: what was completed before may be behind it.
  case lacksConstruction
  /// Anything may be behind it.
  case unknown
}

extension RegistrationGraph {
  /// The edges of a node whose instances have notes: these are all that its constructions have resolved.
  ///
  /// - Parameter known: those that are known without notes.
  /// - Returns: `nil` if the notes do not tell.
  mutating func edges(_ known: [Edge], ofNoted number: Int) -> [Edge]? {
    let node = nodes[number]
    guard let notes, let noted = notes.bySerial[node.record.serial], noted.areComplete,
      !noted.areUnknown
    else { return nil }
    var found = known.filter { $0.timing == .later || $0.evidence != .known }
    for note in noted.slots {
      guard let key = notes.key(of: note) else { continue }
      let timing = note.isLater ? RecordedDependency.Timing.later : .factory
      for edge in edges(to: key, in: node.container, timing, from: number) {
        // What a transient has resolved for the construction is noted, too.
        if !note.isLater, case .node(let target) = edge.target,
          nodes[target].record.policy.storage == .none
        {
          continue
        }
        found.append(edge)
      }
    }
    return found
  }

  /// Whether a resolve that was noted was of a registration that is gone, and with it what that depends on.
  private func hasLost(_ node: Node) -> Bool {
    node.edges.contains { $0.isMissing && $0.timing == .factory && $0.evidence == .known }
  }

  /// Whether an edge leads to an instance, or to what would be resolved now: a singleton that was never built has none.
  func mayLeadToInstance(_ edge: Edge) -> Bool {
    guard edge.timing != .elsewhere else { return false }
    guard edge.timing == .later, let notes, case .node(let target) = edge.target else {
      return true
    }
    let record = nodes[target].record
    return !record.policy.isPublishedToSlot || !mayLeadToEnding(target)
      || notes.bySerial[record.serial] != nil
  }

  func knowledge(of number: Int) -> DependencyKnowledge {
    let node = nodes[number]
    let record = node.record
    if !mayLeadToEnding(number) || record.attributes.declaredDependencies != nil {
      return .complete
    }
    let isStored = record.policy.storage == .registration
    if isStored, let noted = notes?.bySerial[record.serial] {
      if noted.areUnknown { return .unknown }
      if noted.areComplete { return hasLost(node) ? .unknown : .complete }
    }
    // A value may hold what was resolved before it was registered. A scope factory resolves in scopes.
    let resolvesInScopes =
      record.attributes.parameters?.dependencies.contains { $0.kinds.contains(.container) } ?? false
    if node.areDependenciesKnown, !record.isConstant, !resolvesInScopes { return .complete }
    return isStored ? .lacksConstruction : .unknown
  }
}
