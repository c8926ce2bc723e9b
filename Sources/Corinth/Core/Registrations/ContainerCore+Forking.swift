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
    let (number, versions) = base.withWriterLocksOfSelfAndAncestors {
      () -> (UInt64, [LiveVersion]) in
      if Composition.isUsed {
        base.forEachOfSelfAndAncestors { core in
          if let composition = core.compositionReference.load() { compositions.append(composition) }
        }
      }
      let number = VersionClock.pass()
      var versions: [LiveVersion] = []
      base.forEachOfSelfAndAncestors { versions.append($0.extras.liveVersions.begin(number)) }
      return (number, versions)
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

  /// Adds decorators and behaviors, the nearest container's first. Recordings and timelines stay
  /// behind: their end would not reach the fork.
  func takeOver(_ compositions: [Composition]) {
    if compositions.isEmpty { return }
    changeComposition { composition in
      for inherited in compositions.reversed() {
        composition.decorators.merge(inherited.decorators) { $0 + $1 }
        composition.observers += inherited.observers.filter(\.isInherited)
      }
    }
  }

  /// Publishes a copy of the registration that a fork sees in the base, unless the fork's slot is
  /// taken or hidden. The copy keeps the version: to a fork of the fork, nothing has changed.
  ///
  /// - Returns: the slot of the key here, if it has a registration.
  private func adopt(_ key: KeyWords) -> SlotReference? {
    guard let fork, let base else { return nil }
    if !fork.hidesAll, let found = base.registration(of: key, at: fork.version) {
      // The base may have begun to track resolutions after the fork was made.
      found.record.enableTracking(in: self)
      if found.record.attributes.takesRequester { trackRequesters() }
      // A fork builds anew an instance shared by a version: sharing ends here.
      let record = found.record.served
      table.withWriterLock(makingSlotFor: record.key) { own in
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
