// SPDX-License-Identifier: MIT

/// The notes of all constructions of the instances of a registration.
struct NotedDependencies {
  private(set) var slots: Set<ResolveNote> = []
  /// Whether every construction has noted all resolves.
  private(set) var areComplete = true
  /// Whether any instance may depend on anything.
  private(set) var areUnknown = false

  /// Adds the notes of an instance of a registration.
  mutating func add(_ box: AnyInstanceBox, of record: RegistrationRecord) {
    if !record.notesDependencies || box.isUnnoted { areComplete = false }
    guard let notes = box.notes else { return }
    // The construction is an owner too: somebody has the resolver, and may resolve anything.
    if notes.areShared { areUnknown = true }
    for note in notes.resolves {
      if note.isUnknown { areUnknown = true } else { slots.insert(note) }
    }
  }
}

/// The notes of the instances of an ending container.
struct EndingNotes {
  /// For the number of each registration that has an instance.
  let bySerial: [UInt64: NotedDependencies]
  /// The slots that may be noted, by their addresses.
  private let slots: [UInt: SlotReference]
  /// The keys of replaced registrations with instances: dependents may hold an instance, whose own
  /// dependencies are unknown.
  let replacedKeys: Set<RegistrationKey>
  /// Whether a noted instance may resolve later.
  let mayResolveLater: Bool

  init(of container: ContainerCore, _ bySerial: [UInt64: NotedDependencies]) {
    self.bySerial = bySerial
    mayResolveLater = bySerial.values.contains(where: \.areUnknown)
    var slots: [UInt: SlotReference] = [:]
    for core in container.selfAndAncestors {
      core.table.forEachSlot { slots[$0.address] = $0 }
    }
    self.slots = slots
    let replaced = container.selfAndAncestors.flatMap { core in
      core.table.withWriterLock { core.extrasIfMade?.replacedSlots ?? [] }
    }
    replacedKeys = Set(replaced.map(\.key))
  }

  /// The key of a noted slot; `nil` for a slot of a different table, whose key was noted as well.
  func key(of note: ResolveNote) -> RegistrationKey? { slots[note.address]?.key }
}

/// How much is known of the dependencies of an instance, from all down to nothing.
enum DependencyKnowledge: Comparable {
  case complete
  /// The construction was not seen: the instance may depend on all instances completed before. As
  /// no instance of the container resolves later, these depend on none completed later.
  case lacksConstruction
  /// The instance may depend on anything.
  case unknown
}

extension RegistrationGraph {
  /// The edges of a node whose instances have notes: everything resolved by the constructions.
  ///
  /// - Parameter known: the edges known without notes.
  /// - Returns: `nil` if the notes are incomplete.
  mutating func edges(_ known: [Edge], ofNoted number: Int) -> [Edge]? {
    let node = nodes[number]
    guard let notes, let noted = notes.bySerial[node.record.serial], !noted.areUnknown else {
      return nil
    }
    // The incomplete notes of an instance linked to others are followed too.
    var found =
      noted.areComplete ? known.filter { $0.timing == .later || $0.evidence != .known } : known
    for note in noted.slots {
      guard let key = notes.key(of: note) else { continue }
      let timing = note.isLater ? RecordedDependency.Timing.later : .factory
      for edge in edges(to: key, in: node.container, timing, from: number) {
        // The resolves of a transient for the construction are noted too.
        if !note.isLater, !notes.replacedKeys.contains(key), case .node(let target) = edge.target,
          nodes[target].record.policy.storage == .none
        {
          continue
        }
        found.append(edge)
      }
    }
    return found
  }

  /// Whether the registration of a noted resolve is gone, and the dependencies with it.
  private func hasLost(_ node: Node) -> Bool {
    node.edges.contains { $0.isMissing && $0.timing == .factory && $0.evidence == .known }
  }

  /// Whether an edge may lead to an instance: a singleton that was never built has none.
  func mayLeadToInstance(_ edge: Edge) -> Bool {
    guard edge.timing != .elsewhere else { return false }
    guard edge.timing == .later, let notes, case .node(let target) = edge.target else {
      return true
    }
    let record = nodes[target].record
    return !record.policy.isPublishedToSlot || !mayLeadToEnding(target)
      || notes.replacedKeys.contains(record.key) || notes.bySerial[record.serial] != nil
  }

  func knowledge(of number: Int) -> DependencyKnowledge {
    let node = nodes[number]
    let record = node.record
    if notes?.replacedKeys.contains(record.key) ?? false { return .unknown }
    if !mayLeadToEnding(number) || record.attributes.declaredDependencies != nil {
      return .complete
    }
    let isStored = record.policy.storage == .registration
    if isStored, let noted = notes?.bySerial[record.serial] {
      if noted.areUnknown { return .unknown }
      if noted.areComplete { return hasLost(node) ? .unknown : .complete }
    }
    // A value may hold instances resolved before the registration. A scope factory resolves in
    // scopes.
    let resolvesInScopes =
      record.attributes.parameters?.dependencies.contains { $0.kinds.contains(.container) } ?? false
    let isSeen = !record.isConstant && !resolvesInScopes
    if node.areDependenciesKnown, isSeen { return .complete }
    let mayResolveLater =
      node.container.ending.haveLaterResolves || notes?.mayResolveLater ?? false
    return isStored && !mayResolveLater ? .lacksConstruction : .unknown
  }
}
