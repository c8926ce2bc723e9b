// SPDX-License-Identifier: MIT

/// The versions of a container's registrations, read by forks.
///
/// A registration gets a version on becoming the current one of a key, with the writer lock held: a
/// number greater than the numbers of all forks made before. A copy that takes the place, without
/// the instance or with different decorators, keeps the version.
extension ContainerCore {
  /// Publishes a registration as a new version.
  ///
  /// - Returns: the registration replaced, if any.
  func publishAssumingWriterLockHeld(
    _ record: RegistrationRecord, in slot: SlotReference
  ) -> RetiredRegistration? {
    let version = VersionClock.now
    supersedeAssumingWriterLockHeld(slot, at: version)
    // Set before the slot leads to the record. For a record that was current before, readers may
    // see the old or the new number: with either, the record is the one to serve.
    record.version = version
    return slot.publishAssumingWriterLockHeld(record)
  }

  /// Empties a slot.
  ///
  /// - Returns: the registration removed, if any.
  func clearAssumingWriterLockHeld(
    _ slot: SlotReference, at version: UInt64
  ) -> RetiredRegistration? {
    supersedeAssumingWriterLockHeld(slot, at: version)
    return slot.clearAssumingWriterLockHeld()
  }

  /// Keeps the factory and the attributes of a slot's registration if a live fork needs them. O(1),
  /// for any number of forks.
  private func supersedeAssumingWriterLockHeld(_ slot: SlotReference, at version: UInt64) {
    guard let live = extrasIfMade?.liveVersions else { return }
    slot.withRegistrationAssumingWriterLockHeld { current in
      if current.isBuiltByItsCaller || !live.needs(current.version) { return }
      live.keep(
        SupersededRegistration(
          current.withoutInstance(), in: slot, from: current.version, until: version))
    }
  }

  /// The registration and version of a key at `version`, when a fork was made: here, in the nearest
  /// ancestor or in the base. `nil` without any, or behind a closed container.
  ///
  /// An instance built by its caller belongs to the container asked: forks do not see the record.
  func registration(
    of key: KeyWords, at version: UInt64
  ) -> (record: RegistrationRecord, version: UInt64)? {
    var next: (core: ContainerCore, version: UInt64)? = (self, version)
    while let (core, version) = next, !core.isClosed {
      let slot = core.table.find(key)
      if let slot, let found = core.registration(in: slot, at: version) { return found }
      next = core.searchedNext(at: version) { core.hides($0, slot, at: version) }
    }
    return nil
  }

  private func registration(
    in slot: SlotReference, at version: UInt64
  ) -> (record: RegistrationRecord, version: UInt64)? {
    // A current registration, if old enough, was current at `version` too. The number is read after
    // the slot: see `publishAssumingWriterLockHeld`.
    if let current = slot.registration, !current.isBuiltByItsCaller {
      let number = current.version
      if number <= version { return (current, number) }
    }
    guard let live = extrasIfMade?.liveVersions else { return nil }
    let superseded = table.withWriterLock { live.registration(in: slot, at: version) }
    return superseded.map { ($0.registration, $0.start) }
  }

  // MARK: - Walks

  /// The container's current registrations and those seen in a fork's base, as of a single moment.
  var currentRegistrations: [RegistrationRecord] {
    let inherited = inheritedRegistrations
    let level = table.withWriterLock { levelAssumingWriterLockHeld(at: .max) }
    return level.records(and: inherited)
  }

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
        .map { (serial: $0.serial, record: $0) }.sorted { $0.serial < $1.serial }.map(\.record)
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
      if let current = slot.registrationAssumingWriterLockHeld,
        version == .max || current.version <= version && !current.isBuiltByItsCaller
      {
        level.records.append(current)
      } else if let superseded = live?.registration(in: slot, at: version) {
        level.records.append(superseded.registration)
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

extension SupersededRegistration {
  fileprivate var registration: RegistrationRecord {
    guard let record = record as? RegistrationRecord else {
      preconditionFailure("SupersededRegistration.registration: it must be kept by a container")
    }
    return record
  }
}
