// SPDX-License-Identifier: MIT

/// How forks are made, and adopt the registrations of the base.
extension ContainerCore {
  /// Makes the core of a fork.
  ///
  /// - Parameter location: where the fork was made; `nil` if not by the user.
  static func forked(
    from base: ContainerCore, at location: SourceLocation?
  ) -> ContainerCore {
    var compositions: [Shared<Composition>] = []
    var versions: [LiveVersion] = []
    let number = base.withWriterLocksOfSelfAndAncestors {
      let number = VersionClock.pass()
      base.forEachOfSelfAndAncestors { core in
        versions.append(core.extras.liveVersions.begin(number))
        guard Composition.isUsed, let own = core.compositionReference.load() else { return }
        compositions.append(own)
      }
      return number
    }
    let fork = Fork(at: number, versions) { key, core in core.adopt(key) }
    let core = ContainerCore(
      parent: nil, isScope: base.scope != nil, location: location,
      duplicates: base.duplicates, base: base, fork: fork)
    core.takeOver(compositions.map(\.value))
    if base.tracksResolutions { core.trackResolutions() }
    if base.tracksRequesters { core.trackRequesters() }
    return core
  }

  /// Publishes a copy of the registration that a fork sees in the base, unless the fork's slot is
  /// taken or hidden. The copy keeps the version: to a fork of the fork, nothing has changed.
  ///
  /// - Returns: the slot of the key here, if it has a registration.
  private func adopt(_ key: KeyWords) -> SlotReference? {
    guard let fork, let base else { return nil }
    if !fork.hidesAll, let found = base.registration(of: key, at: fork.version) {
      // The base may have begun to track resolutions after the fork was made.
      enableTracking(for: found.record)
      if found.record.attributes.takesRequester { trackRequesters() }
      // A fork builds anew an instance shared by a version: sharing ends here.
      let record = found.record.served
      table.withWriterLock(makingSlotFor: KeyWords(record.key)) { own in
        if isClosed || !own.load().isAbsent || fork.isHiddenAssumingWriterLockHeld(own) { return }
        let copy = record.copied(to: self)
        copy.version = found.version
        let replaced = own.publishAssumingWriterLockHeld(copy)
        precondition(replaced == nil, "ContainerCore.adopt: the slot must be empty")
      }
    }
    // Also a slot adopted by a second thread, which may have detached the fork from the base.
    guard let own = table.find(key), !own.load().isAbsent else { return nil }
    return own
  }

  /// Adopts all registrations of the base that have not been adopted.
  func adoptAll() {
    if fork == nil { return }
    for record in registrations() { _ = registeredSlot(of: record.key) }
  }

  /// Adopts all registrations of the base, and looks there no more.
  func detachFromBase() {
    guard let fork else { return }
    adoptAll()
    table.withWriterLock { fork.hideAllAssumingWriterLockHeld(since: VersionClock.now) }
    Fork.endViewIfUnneeded(by: self)
    if searched.allSatisfy({ $0.implicit.isNil }) { fork.detach() }
  }

  /// The slot of a key's registration here, or of the one adopted from the base just now.
  func ownSlot(of key: RegistrationKey) -> SlotReference? {
    if fork != nil { _ = registeredSlot(of: key) }
    return table.find(key)
  }
}

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
    _ record: consuming RegistrationRecord, in slot: SlotReference
  ) -> RetiredRegistration? {
    let version = VersionClock.now
    if let live = extrasIfMade?.liveVersions { supersede(slot, at: version, for: live) }
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
    if let live = extrasIfMade?.liveVersions { supersede(slot, at: version, for: live) }
    return slot.clearAssumingWriterLockHeld()
  }

  /// Keeps the factory and the attributes of a slot's registration if a live fork needs them. O(1),
  /// for any number of forks. The writer lock is held.
  private func supersede(_ slot: SlotReference, at version: UInt64, for live: LiveVersions) {
    slot.withRegistrationAssumingWriterLockHeld { current in
      if !live.needs(current.version) { return }
      live.keep(
        SupersededRegistration(
          current.withoutInstance(), in: slot, from: current.version, until: version))
    }
  }

  /// The registration and version of a key at `version`, when a fork was made: here, in the nearest
  /// ancestor or in the base. `nil` without any, or behind a closed container.
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
    if let current = slot.registration {
      let number = current.version
      if number <= version { return (current, number) }
    }
    guard let live = extrasIfMade?.liveVersions else { return nil }
    let superseded = table.withWriterLock { live.registration(in: slot, at: version) }
    return superseded.map { ($0.record, $0.start) }
  }
}
