// SPDX-License-Identifier: MIT

/// The registrations of a container.
extension ContainerCore {
  /// Publishes a registration under its key, by its own policy or else the container's.
  ///
  /// - Returns: whether the record was published; for a required override, the means to undo.
  /// - Throws: `RegistrationError`; for a missing required registration, an error with near misses.
  func register(_ record: RegistrationRecord) throws -> (isDone: Bool, overriding: Overriding?) {
    switch policy(of: record) {
    case .keep where hasInBase(record.key): (false, nil)
    // A version does not change once in use: an override needs no undoing.
    case .require where hasInBase(record.key): (try publish(record, .replacement).isDone, nil)
    case .require: (true, try override(record))
    default: (try publish(record, .registration).isDone, nil)
    }
  }

  private func policy(of record: RegistrationRecord) -> DuplicatePolicy {
    record.attributes.onDuplicate ?? duplicates
  }

  /// Publishes a registration under its key.
  ///
  /// - Parameters:
  ///   - mode: how to treat an existing registration, and a missing one.
  ///   - takingOld: whether the caller disposes of the replaced instances, instead of letting go.
  ///   - overriding: keeps the replaced registration, to restore it. If something is published, the
  ///     object is among the container's overrides afterwards.
  func publish(
    _ record: RegistrationRecord, _ mode: PublicationMode, takingOld: Bool = false,
    as overriding: Overriding? = nil
  ) throws(RegistrationError) -> Publication {
    if record.isForwarding { try record.refuseImpossibleForward() }
    record.enableTracking(in: self)
    if hasParent { forEachOfSelfAndAncestors { if $0 !== self { $0.noteRegistrationBelow() } } }
    // A fork adopts first: the base's registration has a position, adopted or not.
    if fork != nil { _ = ownSlot(of: record.key) }
    let attempt = table.withWriterLock(makingSlotFor: record.key) { slot -> Attempt in
      let former = overriding == nil ? nil : slot.registrationAssumingWriterLockHeld
      let attempt = publishAssumingWriterLockHeld(record, mode, in: slot)
      if let overriding, slot.registrationAssumingWriterLockHeld !== former {
        overriding.former = former
        extras.overrides.append(overriding)
      }
      return attempt
    }
    switch consume attempt {
    case .closed:
      throw .containerClosed(key: record.key, location: record.location)
    case .frozen:
      throw .containerFrozen(key: record.key, location: record.location)
    case .refused(let existing, let policy):
      throw .alreadyRegistered(
        key: record.key, existing: existing, refused: record.location, policy: policy)
    case .left: return (false, nil)
    case .published(let replaced, let warnsOf):
      if let warnsOf {
        StandardError.write(
          "warning: \(record.key), registered at \(warnsOf), is overridden at \(record.location).")
      }
      guard takingOld else {
        drop(replaced, .overridden)
        return (true, nil)
      }
      guard let replaced else { return (true, nil) }
      return (true, Self.retireTaken(replaced))
    }
  }

  private enum Attempt: ~Copyable {
    case closed
    case frozen
    case refused(by: SourceLocation, because: DuplicatePolicy)
    case left
    case published(replacing: RetiredRegistration?, warnsOf: SourceLocation?)
  }

  private func publishAssumingWriterLockHeld(
    _ record: RegistrationRecord, _ mode: PublicationMode, in slot: SlotReference
  ) -> Attempt {
    if isClosed { return .closed }
    if isFrozen { return .frozen }
    let existing = slot.withRegistrationAssumingWriterLockHeld {
      (
        location: $0.location, isAdopted: $0.attributes.isAdopted,
        isReplaceable: $0.attributes.isReplaceable,
        isOverride: $0.attributes.onDuplicate == .require
      )
    }
    let policy = mode == .replacement ? .override : policy(of: record)
    if policy.leaves(existing != nil) { return .left }
    guard let existing else {
      if isToDecorate(record) {
        return .published(
          replacing: publishAssumingWriterLockHeld(decorated(record), in: slot), warnsOf: nil)
      }
      return .published(
        replacing: publishAssumingWriterLockHeld(record, in: slot), warnsOf: nil)
    }
    if !existing.isReplaceable || !(record.attributes.isOverridable || existing.isAdopted) {
      return .refused(by: existing.location, because: .override)
    }
    if policy == .refuse, !existing.isAdopted {
      return .refused(by: existing.location, because: .refuse)
    }
    // A module applied after a test's override would undo the override unnoticed.
    let undoesOverride =
      existing.isOverride && record.attributes.onDuplicate == nil && mode == .registration
    let warns =
      (policy == .warn || undoesOverride) && !existing.isAdopted
      && extras.reportedDuplicates.insert(slot).inserted
    return .published(
      replacing: publishAssumingWriterLockHeld(
        successor(of: record, in: slot, mode), in: slot),
      warnsOf: warns ? existing.location : nil)
  }

  /// The record, or a copy if a decorator has come since the value was made ready. The copy must be
  /// published, as destroying an object with the lock held is forbidden.
  private func decorated(_ record: RegistrationRecord) -> RegistrationRecord {
    isToDecorate(record) ? record.copy(record.attributes) : record
  }

  // Asked before ``decorated(_:)`` for a fresh key, which then counts no reference to the record.
  private func isToDecorate(_ record: RegistrationRecord) -> Bool {
    record.isConstant && Composition.isUsed
  }

  /// The record, placed where the slot's registration is. The successor remembers the replaced
  /// registration if nobody asked for the override.
  private func successor(
    of record: RegistrationRecord, in slot: SlotReference, _ mode: PublicationMode
  ) -> RegistrationRecord {
    // Records for a replacement have an instance and a position, and may be shared already.
    if mode == .replacement { return record }
    let successor = slot.withRegistrationAssumingWriterLockHeld { existing in
      let successor = remembering(existing, record)
      successor.takePosition(of: existing)
      return successor
    }
    return successor ?? record
  }

  private func remembering(
    _ existing: RegistrationRecord, _ record: RegistrationRecord
  ) -> RegistrationRecord {
    let replaced =
      record.attributes.onDuplicate == nil && (record.isForwarding || existing.isInput)
      ? ReplacedRegistration.all(by: record, replacing: existing) : []
    if replaced.isEmpty { return decorated(record) }
    var attributes = record.attributes
    attributes.replacedRegistrations = replaced
    return record.copy(attributes)
  }

  /// Publishes changed attributes for the registration numbered `serial`, if still current and if
  /// `change` agrees. The new form has no instance yet, and takes over existing ones to end them.
  ///
  /// - Parameter modifier: the name for validation's finding, if the container is frozen.
  func modify(
    _ key: RegistrationKey, serial: UInt64, by modifier: StaticString? = nil,
    _ change: (inout RegistrationAttributes) -> Bool
  ) {
    guard let slot = table.find(key) else { return }
    var isRefused = false
    table.withWriterLock { () -> RetiredRegistration? in
      guard let current = slot.registrationAssumingWriterLockHeld else { return nil }
      var attributes = current.attributesToCopy
      guard attributes.serial == serial else { return nil }
      isRefused = isFrozen
      if isRefused { return nil }
      if current.policy.storage == .requestScope { EndRequirements.expectLateDisposers() }
      guard change(&attributes) else { return nil }
      let changed = current.copy(attributes)
      changed.enableTracking(in: self)
      let replaced = publishAssumingWriterLockHeld(changed, in: slot)
      changed.takeOverAssumingWriterLockHeld(current)
      return replaced
    }?.retire()
    guard let modifier else { return }
    if isRefused {
      extras.refusedModifiers.note(modifier, of: serial)
    } else {
      extrasIfMade?.refusedModifiers.forget(modifier, of: serial)
    }
  }

  /// Releases the stored instance of the key's registration.
  ///
  /// - Returns: whether an instance was stored.
  func releaseInstance(of key: RegistrationKey) -> Bool {
    guard let slot = table.find(key) else { return false }
    let isCustom = slot.releaseCustomStorage()
    let replaced = table.withWriterLock { slot.releaseInstanceAssumingWriterLockHeld() }
    guard let replaced else { return isCustom }
    return drop(replaced, .released)
  }

  /// Releases the stored instances of the key's registration; disposal is up to the caller.
  ///
  /// - Returns: the registration with the instances, `nil` for none; whether any were stored.
  func takeInstances(of key: RegistrationKey) -> (RegistrationRecord?, wasReleased: Bool) {
    guard let slot = table.find(key) else { return (nil, false) }
    let isCustom = slot.releaseCustomStorage()
    let replaced = table.withWriterLock { slot.releaseInstanceAssumingWriterLockHeld() }
    guard let replaced else { return (nil, isCustom) }
    return (Self.retireTaken(replaced), true)
  }

  /// Retires a registration still in use by the caller.
  private static func retireTaken(
    _ registration: consuming RetiredRegistration
  ) -> RegistrationRecord {
    let record = registration.takeRecord()
    [record].retire()
    return record
  }

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

  /// Empties all slots, in turn, at the end of the container.
  ///
  /// - Returns: the registrations.
  @inline(__always)
  func takeRegistrations() -> [RegistrationRecord] {
    guard hasSlots else { return [] }
    // Awaited, except in children and scopes, which may end at the rate of requests.
    // No slot is marked as replaced: the container has no later instances.
    return retireFromEachSlot(hasParent ? .lazy : .awaited, expecting: table.count) {
      RetiredRegistration($0.exchangeAssumingWriterLockHeld(.absent))
    }
  }

  /// Releases all registrations and instances.
  @inline(never)
  fileprivate func endOfContainer() {
    // Resolvers and providers may outlive the container: sealed, the container does not resolve
    // from ancestors in place of its own registrations.
    let former = seal()
    var records = takeRegistrations()
    let overridden = takeOverridden()
    if !overridden.isEmpty { records += overridden }
    // A closer that sealed first does the rest at the closing's end.
    guard case .open = former else { return }
    sealCells()
    UndisposedReports.report(
      .ended, of: self,
      records.flatMap { $0.dropInstances(.ended) } + dropScopedInstances())
    table.cells?.empty()
    noteEndOfScope()
  }

  /// Reports the undisposed instances of registrations that the container has just let go of.
  func drop(_ records: [RegistrationRecord], _ cause: DropMark) {
    UndisposedReports.report(cause, of: self, records.flatMap { $0.dropInstances(cause) })
  }

  /// - Parameter count: the expected number, to reserve memory.
  /// - Returns: the registrations taken out of the slots by `take`.
  func retireFromEachSlot(
    _ urgency: Reclamation.Urgency = .awaited, expecting count: Int = 0,
    _ take: (SlotReference) -> RetiredRegistration?
  ) -> [RegistrationRecord] {
    var taken: [RegistrationRecord] = []
    taken.reserveCapacity(count)
    table.withWriterLock {
      table.forEachSlot { if let former = take($0) { taken.append(former.takeRecord()) } }
    }
    taken.retire(urgency)
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

  // MARK: - Reading

  /// Whether there has ever been a registration here.
  var hasSlots: Bool { !table.isEmpty }

  /// Whether the key has a registration, here or in an ancestor.
  func contains(_ key: RegistrationKey) -> Bool {
    registeredSlot(of: key) != nil
  }

  /// The keys that `warmUp()` resolves, by position: eager registrations, and registrations at
  /// fault, whose errors come up.
  var keysToWarmUp: [RegistrationKey] {
    registrations { $0.attributes.isEager || $0.attributes.fault != nil }.map(\.key)
  }

  /// The fitting registrations, by position, as of a single moment.
  func registrations(
    where isIncluded: (RegistrationRecord) -> Bool = { _ in true }
  ) -> [RegistrationRecord] {
    currentRegistrations.sorted { $0.position < $1.position }.filter(isIncluded)
  }

  /// Calls `body` with each current registration. Lock-free.
  func forEachRegistration(_ body: (RegistrationRecord) -> Void) {
    table.forEachSlot { $0.withRegistration(body) }
  }
}

extension Unmanaged<ContainerCore> {
  /// Ends what the container keeps.
  @inline(__always)
  func end() {
    unsafe _withUnsafeGuaranteedRef {
      if !$0.isClosed || $0.hasSlots { $0.endOfContainer() }
      if !$0.keepForNextScope() { $0.removeOwner() }
    }
  }
}

extension RegistrationRecord {
  /// Refuses a forward whose target can have no instance of the type. A subclass of the target's
  /// type may conform: validation looks at such targets.
  fileprivate func refuseImpossibleForward() throws(RegistrationError) {
    guard let target = forwardedKey else { return }
    if servability(of: target.product, as: key.product) == .impossible {
      throw .doesNotImplement(key: key, target: target, location: location)
    }
  }

  /// Has the container tree track resolutions if the registration's instances depend on them.
  func enableTracking(in core: ContainerCore) {
    if policy.tracksResolutions { core.trackResolutions() }
  }
}
