// SPDX-License-Identifier: MIT

/// How forks take over the registrations of their bases.
extension ContainerCore {
  /// Makes the core of a fork.
  static func forked(from base: ContainerCore) -> ContainerCore {
    let fork = Fork { slot, core in core.adopt(slot) }
    let core = ContainerCore(
      fingerprintBits: 64, parent: nil, isScope: base.scope != nil, scopeLocation: nil,
      duplicates: base.duplicates, base: base, fork: fork)
    // Before a writer of the base knows of the fork and has it adopt what it should decorate.
    core.adoptComposition()
    base.add(core)
    fork.begin(after: RegistrationAttributes.currentSerial)
    if base.tracksResolutions { core.trackResolutions() }
    return core
  }

  /// What is put around the registrations of the base and its ancestors is put around those of the fork. A recording is
  /// not: it would not know when to end there.
  private func adoptComposition() {
    guard Composition.isUsed, let base else { return }
    let compositions = base.selfAndAncestors.compactMap(\.composition)
    if compositions.isEmpty { return }
    changeComposition { composition in
      for inherited in compositions.reversed() {
        composition.decorators.merge(inherited.decorators) { $0 + $1 }
        composition.observers += inherited.observers.filter { !$0.recordsDependencies }
      }
    } _: {
    }
  }

  /// Publishes a copy of the registration in a slot of the base, unless the key has a registration here by now, or was
  /// removed.
  ///
  /// - Returns: the slot of the key here, if it has a registration.
  private func adopt(_ slot: SlotReference) -> SlotReference? {
    guard let fork, let record = slot.registration, record.serial <= fork.lastSerial,
      !record.isBuiltByItsCaller
    else { return nil }
    // The base may have begun to track them after the fork was made.
    record.enableTracking(in: self)
    let own = table.slotMade(for: record.key)
    table.withWriterLock {
      if isClosed || !own.load().isAbsent || fork.isHiddenAssumingWriterLockHeld(own) { return }
      var attributes = record.attributes
      unsafe attributes.owner = self
      attributes.isAdopted = true
      let replaced = own.publishAssumingWriterLockHeld(record.copy(attributes))
      precondition(replaced == nil, "ContainerCore.adopt: the slot must be empty")
    }
    return own.load().isAbsent ? nil : own
  }

  /// Has the forks of this container take over the key's registration, before it is changed. A fork that is made
  /// meanwhile may see it before the change or after it.
  func letForksAdopt(_ key: RegistrationKey) {
    for fork in forksInUse { _ = fork.registeredSlot(of: key) }
  }

  /// The same for all registrations.
  func letForksAdoptAll() {
    let forks = forksInUse
    if forks.isEmpty { return }
    var keys: [RegistrationKey] = []
    forEachOwnRegistration { keys.append($0.key) }
    for fork in forks { for key in keys { _ = fork.registeredSlot(of: key) } }
  }

  /// Adopts all registrations of the base that have not been adopted.
  func adoptAll() {
    if fork == nil { return }
    forEachOwnRegistration { _ = registeredSlot(of: $0.key) }
  }

  /// Adopts all registrations of the base, and looks there no more.
  func detachFromBase() {
    guard let fork, let base else { return }
    adoptAll()
    table.withWriterLock { fork.hideAllAssumingWriterLockHeld() }
    // Its writers have it adopt nothing any more.
    base.removeFork(ObjectIdentifier(self))
    if searched.allSatisfy({ $0.implicit.isNil }) { fork.detach() }
  }

  /// The slot that a key is registered in here, or in the base of a fork, which then adopts it.
  func ownSlot(of key: RegistrationKey) -> SlotReference? {
    if fork != nil { _ = registeredSlot(of: key) }
    return table.find(key)
  }

  /// Calls `body` with each current registration, here and in what the fork has not adopted of its base.
  ///
  /// The base comes first: a key that is adopted meanwhile is found in one of the two walks, or in both.
  func forEachOwnRegistration(_ body: (RegistrationRecord) -> Void) {
    guard fork != nil, let base else { return forEachRegistration(body) }
    let inherited = base.visibleRegistrations
    var own: Set<RegistrationKey> = []
    forEachRegistration {
      own.insert($0.key)
      body($0)
    }
    for (key, record) in inherited where !own.contains(key) && inherits(record) { body(record) }
  }

  /// Whether a registration of the base, found there, is one of this fork too.
  private func inherits(_ record: RegistrationRecord) -> Bool {
    guard let fork, record.serial <= fork.lastSerial, !record.isBuiltByItsCaller else { return false }
    if fork.hidesAll { return false }
    guard let own = table.find(record.key) else { return true }
    return table.withWriterLock { !fork.isHiddenAssumingWriterLockHeld(own) }
  }

  /// The registrations that a resolve from this container finds.
  private var visibleRegistrations: [RegistrationKey: RegistrationRecord] {
    var found: [RegistrationKey: RegistrationRecord] = [:]
    for core in selfAndAncestors {
      core.forEachOwnRegistration { if found[$0.key] == nil { found[$0.key] = $0 } }
    }
    return found
  }
}
