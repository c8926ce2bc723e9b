// SPDX-License-Identifier: MIT

/// How a container lets go of registrations and instances.
extension ContainerCore {
  // MARK: - Removing

  /// Empties the key's slot.
  ///
  /// - Returns: whether the key had a registration.
  func unregister(_ key: RegistrationKey) -> Bool {
    guard let slot = ownSlot(of: key) else { return false }
    return drop(table.withWriterLock { removeAssumingWriterLockHeld(slot) }, .removed)
  }

  /// Empties a slot, unless the container is frozen. A fork's slot then hides the key in the base.
  func removeAssumingWriterLockHeld(_ slot: SlotReference) -> RetiredRegistration? {
    if isFrozen { return nil }
    let version = VersionClock.now
    fork?.hideAssumingWriterLockHeld(slot, since: version)
    return clearAssumingWriterLockHeld(slot, at: version)
  }

  /// Empties the key's slot if the registration is still the one numbered `serial`.
  ///
  /// - Returns: whether it was.
  func unregister(_ key: RegistrationKey, serial: UInt64) -> Bool {
    guard let slot = table.find(key) else { return false }
    let removed = table.withWriterLock { () -> RetiredRegistration? in
      let isCurrent = slot.withRegistrationAssumingWriterLockHeld { $0.serial == serial } ?? false
      return isCurrent ? removeAssumingWriterLockHeld(slot) : nil
    }
    return drop(removed, .removed)
  }

  /// Removes the registrations with the given serial numbers in a single step of the writer.
  ///
  /// - Returns: the number removed; the rest have been overridden or removed meanwhile.
  func removeRegistrations(_ serials: Set<UInt64>) -> Int {
    if serials.isEmpty { return 0 }
    adoptAll()
    let removed = retireFromEachSlot { slot in
      slot.isRegistration(in: serials) ? removeAssumingWriterLockHeld(slot) : nil
    }
    drop(removed, .removed)
    return removed.count
  }

  /// Empties all slots in a single step, and reports undisposed instances. A fork stops looking
  /// into the base; registrations seen there count as removed.
  ///
  /// - Returns: the number of registrations.
  func removeRegistrations() -> Int {
    guard hasSlots || fork != nil else { return 0 }
    // The count adopts nothing: older forks of the fork go on asking the base.
    let listed = fork.map { _ in registrations().count }
    var removed: [RegistrationRecord] = []
    let isRemoved = table.withWriterLock { () -> Bool in
      if isFrozen { return false }
      let version = VersionClock.now
      fork?.hideAllAssumingWriterLockHeld(since: version)
      table.forEachSlot { slot in
        if let former = clearAssumingWriterLockHeld(slot, at: version) {
          removed.append(former.takeRecord())
        }
      }
      return true
    }
    Fork.endViewIfUnneeded(by: self)
    removed.retire()
    drop(removed, .removed)
    return isRemoved ? listed ?? removed.count : 0
  }

  // MARK: - Releasing instances

  /// Releases the stored instance of the key's registration.
  ///
  /// - Returns: whether an instance was stored.
  func releaseInstance(of key: RegistrationKey) -> Bool {
    let (former, wasReleased) = takeInstances(of: key)
    if let former { drop([former], .released) }
    return wasReleased
  }

  /// Releases the stored instances of the key's registration; disposal is up to the caller.
  ///
  /// - Returns: the registration with the instances, `nil` for none; whether any were stored.
  func takeInstances(of key: RegistrationKey) -> (RegistrationRecord?, wasReleased: Bool) {
    guard let slot = table.find(key) else { return (nil, false) }
    let isCustom = slot.releaseCustomStorage()
    let replaced = table.withWriterLock { slot.releaseInstanceAssumingWriterLockHeld() }
    guard let replaced else { return (nil, isCustom) }
    return (replaced.retireInUse(), true)
  }

  /// Releases instances of the registrations with the serial numbers, or of all, in a single step.
  ///
  /// - Returns: the number of registrations that had some.
  func releaseInstances(_ serials: Set<UInt64>?) -> Int {
    guard hasSlots, serials?.isEmpty != true else { return 0 }
    var custom = 0
    table.forEachSlot { slot in
      let isMeant = slot.withRegistration { serials?.contains($0.serial) ?? true } ?? false
      if isMeant, slot.releaseCustomStorage() { custom += 1 }
    }
    let released = retireFromEachSlot { slot in
      serials.map(slot.isRegistration) ?? true ? slot.releaseInstanceAssumingWriterLockHeld() : nil
    }
    drop(released, .released)
    return released.filter { $0.lifecycle.customStorage == nil }.count + custom
  }

  // MARK: - Dropping

  /// Reports the undisposed instances of registrations that the container has just let go of.
  func drop(_ records: [RegistrationRecord], _ cause: DropMark) {
    UndisposedReports.report(cause, of: self, records.dropInstances(cause))
  }

  /// - Returns: the registrations taken out of the slots by `take`.
  func retireFromEachSlot(
    _ take: (SlotReference) -> RetiredRegistration?
  ) -> [RegistrationRecord] {
    var taken: [RegistrationRecord] = []
    table.withWriterLock {
      table.forEachSlot { if let former = take($0) { taken.append(former.takeRecord()) } }
    }
    taken.retire()
    return taken
  }

  /// Retires a registration, and reports undisposed instances.
  ///
  /// - Returns: whether there was one to retire.
  @discardableResult
  func drop(
    _ registration: consuming RetiredRegistration?, _ cause: DropMark
  ) -> Bool {
    guard let registration else {
      // Every writer reclaims: a reader may have delayed the destruction of earlier objects.
      Reclamation.reclaim()
      return false
    }
    let undisposed = registration.dropInstances(cause)
    registration.retire(isAwaited: cause != .overridden)
    UndisposedReports.report(cause, of: self, undisposed)
    return true
  }

  // MARK: - At the end of the container

  /// Empties all slots, in turn, at the end of the container, and retires the registrations, which
  /// `body` gets. Without an array: children may end at the rate of requests.
  @inline(__always)
  func withRegistrationsTaken(_ body: (UnsafeMutableBufferPointer<RegistrationRecord>) -> Void) {
    guard hasSlots else { return unsafe body(UnsafeMutableBufferPointer(start: nil, count: 0)) }
    table.lockWriters()
    unsafe withUnsafeTemporaryAllocation(of: RegistrationRecord.self, capacity: table.count) {
      memory in
      // SAFETY: with the lock held, there is memory for each slot.
      var count = 0
      table.forEachSlot { slot in
        // No slot is marked as replaced: the container has no later instances.
        let former = RetiredRegistration(slot.exchangeAssumingWriterLockHeld(.absent))
        guard let former else { return }
        unsafe memory.initializeElement(at: count, to: former.takeRecord())
        count += 1
      }
      table.unlockWriters()
      let taken = unsafe UnsafeMutableBufferPointer(rebasing: memory[..<count])
      // Awaited, except in children and scopes.
      unsafe taken.retire(hasParent ? .lazy : .awaited)
      unsafe body(taken)
      unsafe taken.deinitialize()
    }
  }

  /// Ends all overrides.
  ///
  /// - Returns: the registrations below them.
  func takeOverridden() -> [RegistrationRecord] {
    guard let extras = extrasIfMade else { return [] }
    // The overrides are released after the lock.
    var overrides: [Overriding] = []
    return table.withWriterLock {
      swap(&overrides, &extras.overrides)
      return overrides.compactMap { $0.former.take() }
    }
  }

  /// Releases all registrations and instances.
  @inline(never)
  fileprivate func endOfContainer() {
    // Resolvers and providers may outlive the container: sealed, the container does not resolve
    // from ancestors in place of its own registrations.
    let isFirst = seal()
    unsafe withRegistrationsTaken { records in
      let overridden = takeOverridden()
      // A closer that sealed first does the rest at the closing's end.
      if !isFirst { return }
      sealCells()
      // Most have none: a sum of empty arrays makes an array.
      var undisposed = unsafe records.dropInstances(.ended)
      if !overridden.isEmpty { undisposed += overridden.dropInstances(.ended) }
      if table.cells != nil { undisposed += dropScopedInstances() }
      UndisposedReports.report(.ended, of: self, undisposed)
      table.cells?.empty()
      noteEndOfScope()
    }
  }

  /// The instances to dispose of at the container's end.
  var undisposedInstances: [UndisposedInstance] {
    var found: [UndisposedInstance] = []
    forEachRegistration { record in
      guard record.policy.endsWithContainer else { return }
      found += record.forms.filter(\.hasDisposers).flatMap(\.instances).filter(\.isBuilt)
        .map { _ in record.dropped }
    }
    var scoped: [UndisposedInstance] = []
    forEachPlace { if $1.isBuilt { scoped.append($0.dropped) } }
    // The latest first.
    return found + scoped.reversed()
  }

  /// Lets go of the instances in sealed cells. Constructions under way report theirs at the end.
  private func dropScopedInstances() -> [UndisposedInstance] {
    markDropped()
    var found: [UndisposedInstance] = []
    forEachPlace(inSealedCells: true) { record, place in
      // See `InstanceState.claimEnd`.
      if place.box(of: record)?.claimEnd() ?? false { found.append(record.dropped) }
    }
    return found.reversed()
  }

  /// Notes the instances of a closing tracked scope, already sealed, to look at survivors later.
  func expectOutlivingInstances() {
    guard let tracked = trackedScope, tracked.claimSearch(), !OutlivingInstances.handler.isNil
    else { return }
    var found: [OutlivingInstance] = []
    forEachPlace(inSealedCells: true) { record, place in
      // An existential would box a value anew, in an object without further references.
      guard let box = place.box(of: record),
        TypeKind(of: record.key.product) == .possiblyReference
      else { return }
      found.append(OutlivingInstance(object: box.product as AnyObject, instance: record.dropped))
    }
    tracked.expect(found)
  }
}

extension Unmanaged<ContainerCore> {
  /// Ends what the container keeps.
  @inline(__always)
  func end() {
    unsafe _withUnsafeGuaranteedRef {
      if !$0.isClosed || $0.hasSlots { $0.endOfContainer() }
      if !$0.keepForNextUse() { $0.removeOwner() }
    }
  }
}

extension SlotReference {
  /// The writer lock is held.
  fileprivate func isRegistration(in serials: Set<UInt64>) -> Bool {
    withRegistrationAssumingWriterLockHeld { serials.contains($0.serial) } ?? false
  }
}
