// SPDX-License-Identifier: MIT

/// The versions of a container's registrations, which its forks read.
///
/// A registration gets its version when it becomes the current one of its key, with the writer lock held: a number that is
/// greater than those of all forks that have been made by then. Copies of it that take its place, without its instance or
/// with other decorators, are of the same version.
extension ContainerCore {
  /// Publishes a registration as a new version.
  ///
  /// - Returns: the registration replaced, if there was one.
  func publishAssumingWriterLockHeld(
    _ record: RegistrationRecord, in slot: SlotReference
  ) -> RetiredRegistration? {
    let version = VersionClock.now
    supersedeAssumingWriterLockHeld(slot, at: version)
    // Before the slot leads to it. If it has been current before, readers who found it then may see either number: both
    // lead them to the same.
    record.version = version
    return slot.publishAssumingWriterLockHeld(record)
  }

  /// Empties a slot.
  ///
  /// - Returns: the registration removed, if there was one.
  func clearAssumingWriterLockHeld(
    _ slot: SlotReference, at version: UInt64
  ) -> RetiredRegistration? {
    supersedeAssumingWriterLockHeld(slot, at: version)
    return slot.clearAssumingWriterLockHeld()
  }

  /// Keeps the factory and the attributes of what a slot holds if a live fork needs them. O(1), whatever the number of
  /// forks.
  private func supersedeAssumingWriterLockHeld(_ slot: SlotReference, at version: UInt64) {
    guard let live = extrasIfMade?.liveVersions else { return }
    slot.withRegistrationAssumingWriterLockHeld { current in
      if current.isBuiltByItsCaller || !live.needs(current.version) { return }
      live.keep(
        SupersededRegistration(
          current.withoutInstance(), in: slot, from: current.version, until: version))
    }
  }

  /// The registration that a key had here, in the nearest ancestor or in the base, when a fork was made at `version`, and the
  /// version of the registration. `nil` if there was none, or if a container before it is closed.
  ///
  /// What a caller has built is of the container that it was asked in: forks do not see it.
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
    // What is current and old enough was current at that version too. The number is read after the slot, see above.
    if let current = slot.registration, !current.isBuiltByItsCaller {
      let number = current.version
      if number <= version { return (current, number) }
    }
    guard let live = extrasIfMade?.liveVersions else { return nil }
    let superseded = table.withWriterLock { live.registration(in: slot, at: version) }
    return superseded.map { ($0.registration, $0.start) }
  }

  // MARK: - Walks

  /// The current registrations of this container, with those of the base that a fork sees, at one moment.
  var currentRegistrations: [RegistrationRecord] {
    let inherited = inheritedRegistrations
    let level = table.withWriterLock { levelAssumingWriterLockHeld(at: .max) }
    return level.records(and: inherited)
  }

  /// The same for this container and each of its ancestors, all at one moment.
  var currentRegistrationsByLevel: [[RegistrationRecord]] {
    let outermost = selfAndAncestors.reduce(self) { $1 }
    let inherited = outermost.inheritedRegistrations
    var levels: [Level] = []
    withWriterLocksOfSelfAndAncestors {
      forEachOfSelfAndAncestors { levels.append($0.levelAssumingWriterLockHeld(at: .max)) }
    }
    return levels.dropLast().map(\.records) + [levels[levels.count - 1].records(and: inherited)]
  }

  /// What a fork sees in its base, whether it has been adopted or not. Looked up before the fork's own table: what the base
  /// keeps for the fork goes when all has been adopted.
  private var inheritedRegistrations: [RegistrationRecord] {
    guard let fork, let base, !fork.hidesAll else { return [] }
    return base.visibleRegistrations(at: fork.version)
  }

  /// One registration for each key that a resolve from here would have found when a fork was made at `version`.
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

  /// The registrations in this container's own table at a version. Keys are compared later, with no lock held: names are the
  /// user's.
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
  /// The keys that a fork does not look up in its base; `nil` if it looks up none there, or is no fork.
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
