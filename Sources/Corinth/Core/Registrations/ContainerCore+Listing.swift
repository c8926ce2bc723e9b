// SPDX-License-Identifier: MIT

/// The registrations of a container, looked up and listed.
extension ContainerCore {
  /// Whether there has ever been a registration here.
  var hasSlots: Bool { !table.isEmpty }

  /// Whether the key has a registration, here or in an ancestor.
  func contains(_ key: RegistrationKey) -> Bool {
    registeredSlot(of: key) != nil
  }

  /// The registration at the end of a chain of forwards; `nil` for a missing target or a circle.
  func registration(behind key: RegistrationKey) -> RegistrationRecord? {
    var found = registeredSlot(of: key)?.registration
    for _ in 0..<64 {
      guard let target = found?.forwardedKey else { return found }
      found = registeredSlot(of: target)?.registration
    }
    return nil
  }

  /// Calls `body` with each current registration. Lock-free.
  func forEachRegistration(_ body: (RegistrationRecord) -> Void) {
    table.forEachSlot { $0.withRegistration(body) }
  }

  /// The fitting registrations, current here or seen in a fork's base, by position, as of a single
  /// moment.
  @inline(never) func registrations(
    where isIncluded: (RegistrationRecord) -> Bool = { _ in true }
  ) -> [RegistrationRecord] {
    let inherited = inheritedRegistrations
    let level = table.withWriterLock { levelAssumingWriterLockHeld(at: .max) }
    return level.records(and: inherited).ordered(by: \.position).filter(isIncluded)
  }

  /// The keys that `warmUp()` resolves, by position: eager registrations, and registrations at
  /// fault, whose errors come up.
  var keysToWarmUp: [RegistrationKey] {
    registrations { $0.attributes.isEager || $0.attributes.fault != nil }.map(\.key)
  }

  /// Throws the errors of all registrations at fault in the container, by position. Lock-free.
  func refuseFaults() throws {
    let faults = registrations { $0.attributes.fault != nil }.compactMap(\.faultError)
    if !faults.isEmpty { throw RegistrationError.invalidRegistrations(faults) }
  }

  /// The registrations below the overrides of a closed container, whose instances end too.
  var overridden: [RegistrationRecord] {
    guard let extras = extrasIfMade else { return [] }
    return table.withWriterLock { extras.overrides.compactMap(\.former) }
  }

  // MARK: - With ancestors and bases

  /// The current registrations of the container and of all ancestors, as of a single moment.
  var currentRegistrationsByLevel: [[RegistrationRecord]] {
    let outermost = selfAndAncestors.reduce(self) { $1 }
    let inherited = outermost.inheritedRegistrations
    var levels: [Level] = []
    withWriterLocksOfSelfAndAncestors {
      forEachOfSelfAndAncestors { levels.append($0.levelAssumingWriterLockHeld(at: .max)) }
    }
    return levels.dropLast().map(\.records) + [levels[levels.count - 1].records(and: inherited)]
  }

  /// The registrations that a resolve from the container finds, in the order of registration,
  /// ancestors first. A fork adopts the registrations of the base on lookup.
  func visibleRegistrations() -> [RegistrationRecord] {
    // A level holds each key once: only with several levels are keys compared.
    let isAlone = parent == nil
    var seen: Set<RegistrationKey> = []
    let levels = zip(selfAndAncestors, currentRegistrationsByLevel).map { core, registrations in
      let visible =
        (isAlone ? registrations : registrations.filter { seen.insert($0.key).inserted })
        .map { (serial: $0.serial, record: $0) }.ordered(by: \.serial).map(\.record)
      return core.fork == nil
        ? visible : visible.compactMap { core.registeredSlot(of: $0.key)?.registration }
    }
    return levels.reversed().flatMap { $0 }.filter { !$0.isAbsence }
  }

  /// The registrations that a fork sees in the base, adopted or not. Read before the fork's own
  /// table: the base drops what is kept for the fork once all is adopted.
  private var inheritedRegistrations: [RegistrationRecord] {
    guard let fork, let base, !fork.hidesAll else { return [] }
    return base.visibleRegistrations(at: fork.version)
  }

  /// For every key, the registration found by a resolve from here when a fork of `version` began.
  private func visibleRegistrations(at version: UInt64) -> [RegistrationRecord] {
    var found: [RegistrationRecord] = []
    var settled: Set<RegistrationKey> = []
    var next: (core: ContainerCore, version: UInt64)? = (self, version)
    while let (core, version) = next {
      let level = core.table.withWriterLock { core.levelAssumingWriterLockHeld(at: version) }
      for record in level.records where settled.insert(record.key).inserted { found.append(record) }
      next = core.searchedNext(at: version) { _ in level.hidden == nil }
      if !core.hasParent { for slot in level.hidden ?? [] { settled.insert(slot.key) } }
    }
    return found
  }

  /// The registrations in the container's own table at a version. Keys are compared later, with no
  /// lock held: names run user code.
  private func levelAssumingWriterLockHeld(at version: UInt64) -> Level {
    var level = Level(hidden: fork?.hiddenSlotsAssumingWriterLockHeld(at: version))
    let live = extrasIfMade?.liveVersions
    table.forEachSlot { slot in
      if let current = slot.registrationAssumingWriterLockHeld, current.version <= version {
        level.records.append(current)
      } else if let superseded = live?.registration(in: slot, at: version) {
        level.records.append(superseded.record)
      }
    }
    return level
  }
}

/// The registrations of one table.
private struct Level {
  var records: [RegistrationRecord] = []
  /// The keys not looked up in a fork's base; `nil` if none are looked up, or without a base.
  let hidden: [SlotReference]?

  func records(and inherited: [RegistrationRecord]) -> [RegistrationRecord] {
    guard let hidden, !inherited.isEmpty else { return records }
    var own = Set(hidden.map(\.key))
    for record in records { own.insert(record.key) }
    return records + inherited.filter { !own.contains($0.key) }
  }
}

/// Containers as described to users, to whom a version and the version's base are one.
extension ContainerCore {
  /// The distance of this container and of every ancestor, nearest first: 0 for the container, 1
  /// for the parent, and so on. A version has the distance of the base.
  var describedLevels: [Int] {
    var next = 0
    return selfAndAncestors.map { core in
      defer { if core.baseOfLayer == nil { next += 1 } }
      return next
    }
  }

  /// The registrations of the container and, if asked for, of the ancestors, by position. A version
  /// and the base are listed as one: a hiding registration takes the hidden one's place.
  func describedRegistrations(
    includingParents: Bool
  ) -> [(record: RegistrationRecord, level: Int)] {
    // A closed version resolves nothing of the base either.
    if !includingParents, baseOfLayer == nil || isClosed {
      return registrations { !$0.isAbsence }.map { ($0, 0) }
    }
    var described: [(position: UInt64, record: RegistrationRecord, level: Int)] = []
    var places: [RegistrationKey: Int] = [:]
    let containers = zip(selfAndAncestors, describedLevels)
    for ((core, level), records) in zip(containers, currentRegistrationsByLevel)
    where includingParents || level == 0 {
      let start = described.count
      for record in records {
        if let place = places[record.key] {
          described[place].position = record.position
        } else {
          described.append((record.position, record, level))
        }
      }
      // A version hides only registrations of the version's own base.
      places = [:]
      if core.baseOfLayer == nil { continue }
      for place in start..<described.count { places[described[place].record.key] = place }
    }
    return described.filter { !$0.record.isAbsence }
      .ordered(by: \.position).map { ($0.record, $0.level) }
  }
}
