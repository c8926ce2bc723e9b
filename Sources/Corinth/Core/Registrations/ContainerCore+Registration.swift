// SPDX-License-Identifier: MIT

/// The registrations of a container.
extension ContainerCore {
  /// Publishes a registration under its key, as its policy or else that of the container says.
  ///
  /// - Returns: whether it was published; what may undo it, if it had to override one.
  /// - Throws: `RegistrationError`; an error with similar registrations if this container has none that it must override.
  func register(_ record: RegistrationRecord) throws -> (isDone: Bool, overriding: Overriding?) {
    switch policy(of: record) {
    case .keep where hasInBase(record.key): (false, nil)
    // A version is not changed once it is in use: there is nothing to undo.
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
  ///   - mode: what is done with a registration that is there, and if there is none.
  ///   - takingOld: whether the caller disposes of the instances that are replaced, and not only lets go of them.
  ///   - overriding: what keeps the registration that is replaced, to restore it. It is then in use.
  func publish(
    _ record: RegistrationRecord, _ mode: PublicationMode, takingOld: Bool = false,
    as overriding: Overriding? = nil
  ) throws(RegistrationError) -> Publication {
    if record.isForwarding { try record.refuseImpossibleForward() }
    record.enableTracking(in: self)
    if hasParent { forEachOfSelfAndAncestors { if $0 !== self { $0.noteRegistrationBelow() } } }
    // What a fork has of its base is registered there and has a position, whether it has been adopted or not.
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
    // What a test has overridden, a module that is applied later would undo, and nobody would know.
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

  /// The record, or a copy: a decorator may have come since a value was made ready. The copy must be published, as it
  /// must not be destroyed with the lock held.
  private func decorated(_ record: RegistrationRecord) -> RegistrationRecord {
    isToDecorate(record) ? record.copy(record.attributes) : record
  }

  // Asked first by what registers a fresh key: it then counts no reference to the record.
  private func isToDecorate(_ record: RegistrationRecord) -> Bool {
    record.isConstant && Composition.isUsed
  }

  /// The record, in the place of the slot's registration. It remembers the one that it replaces without being
  /// told to.
  private func successor(
    of record: RegistrationRecord, in slot: SlotReference, _ mode: PublicationMode
  ) -> RegistrationRecord {
    // Other threads may have it, as it has an instance; it was given its position when it was made.
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
      ? record.registrationsReplaced(with: existing) : []
    if replaced.isEmpty { return decorated(record) }
    var attributes = record.attributes
    attributes.replacedRegistrations = replaced
    return record.copy(attributes)
  }

  /// Changes the attributes of the key's registration if that is the one numbered `serial` and `change`
  /// agrees, and does nothing otherwise. It starts without an instance, and takes over those that are there to end them.
  ///
  /// - Parameter modifier: what validation names, if the container is frozen.
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
      if current.policy.storage == .requestScope { InstanceStore.expectLateDisposers() }
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
  /// - Returns: whether there was one.
  func releaseInstance(of key: RegistrationKey) -> Bool {
    guard let slot = table.find(key) else { return false }
    let isCustom = slot.releaseCustomStorage()
    let replaced = table.withWriterLock { slot.releaseInstanceAssumingWriterLockHeld() }
    guard let replaced else { return isCustom }
    return drop(replaced, .released)
  }

  /// Releases the stored instances of the key's registration, which the caller disposes of.
  ///
  /// - Returns: the registration with the instances, `nil` if there are none; whether there were any.
  func takeInstances(of key: RegistrationKey) -> (RegistrationRecord?, wasReleased: Bool) {
    guard let slot = table.find(key) else { return (nil, false) }
    let isCustom = slot.releaseCustomStorage()
    let replaced = table.withWriterLock { slot.releaseInstanceAssumingWriterLockHeld() }
    guard let replaced else { return (nil, isCustom) }
    return (Self.retireTaken(replaced), true)
  }

  /// Retires a registration that the caller goes on using.
  private static func retireTaken(
    _ registration: consuming RetiredRegistration
  ) -> RegistrationRecord {
    let record = registration.takeRecord()
    [record].retire()
    return record
  }

  /// Empties the key's slot.
  ///
  /// - Returns: whether there was a registration.
  func unregister(_ key: RegistrationKey) -> Bool {
    guard let slot = ownSlot(of: key) else { return false }
    return drop(table.withWriterLock { removeAssumingWriterLockHeld(slot) }, .removed)
  }

  /// Empties a slot, which in a fork then hides its key in the base, unless the container is frozen.
  func removeAssumingWriterLockHeld(_ slot: SlotReference) -> RetiredRegistration? {
    if isFrozen { return nil }
    let version = VersionClock.now
    fork?.hideAssumingWriterLockHeld(slot, since: version)
    return clearAssumingWriterLockHeld(slot, at: version)
  }

  /// Empties the key's slot if its registration is the one numbered `serial`.
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

  /// Empties all slots in one step, and reports instances that are not disposed of. A fork does not look into its base any
  /// more; what it had there counts.
  ///
  /// - Returns: the number of registrations.
  func removeRegistrations() -> Int {
    guard hasSlots || fork != nil else { return 0 }
    // Not adopted for the count: forks that were made before go on asking the base.
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
    endVersionsIfUnneeded()
    removed.retire()
    drop(removed, .removed)
    return isRemoved ? listed ?? removed.count : 0
  }

  /// Empties all slots, one after the other, at the end of the container.
  ///
  /// - Returns: the registrations.
  func takeRegistrations() -> [RegistrationRecord] {
    guard hasSlots else { return [] }
    // Children and scopes may come and go with each request.
    return retireFromEachSlot(hasParent ? .lazy : .awaited, expecting: table.count) {
      $0.clearAssumingWriterLockHeld()
    }
  }

  /// Releases all registrations and instances.
  fileprivate func endOfContainer() {
    if isClosed, !hasSlots { return }
    // Resolvers and providers that outlive the container must not find its ancestors' registrations in place
    // of its own.
    let former = seal()
    var records = takeRegistrations()
    let overridden = takeOverridden()
    if !overridden.isEmpty { records += overridden }
    // A closer that has sealed it before does the rest in the end.
    guard case .open = former else { return instances.close() }
    UndisposedReports.report(
      .ended, of: self,
      records.flatMap { $0.dropInstances(.ended) } + dropScopedInstances())
    sealCells()
    instances.close()
    table.cells?.empty()
    noteEndOfScope()
  }

  /// Reports the instances of registrations that were let go of, if they are not disposed of.
  func drop(_ records: [RegistrationRecord], _ cause: DropMark) {
    UndisposedReports.report(cause, of: self, records.flatMap { $0.dropInstances(cause) })
  }

  /// - Parameter count: how many there are likely to be.
  /// - Returns: the registrations that `take` has taken out of their slots.
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

  /// Retires a registration, and reports its instances if they are not disposed of.
  ///
  /// - Returns: whether there is one.
  @discardableResult
  func drop(
    _ registration: consuming RetiredRegistration?, _ cause: DropMark
  ) -> Bool {
    guard let registration else {
      // Objects whose destruction a reader has delayed are left to writers, of which this is one.
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

  /// The keys of the registrations that `warmUp()` resolves, by their positions: those that are marked as eager, and those
  /// that contradict themselves.
  var keysToWarmUp: [RegistrationKey] {
    registrations { $0.attributes.isEager || $0.attributes.fault != nil }.map(\.key)
  }

  /// The registrations that fit at one moment, by their positions.
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
      $0.endOfContainer()
      if !$0.keepForNextScope() { $0.removeOwner() }
    }
  }
}

extension RegistrationRecord {
  /// A type that no instance of the target can be of is refused. A subclass of the target's may be of it: that is left to
  /// validation.
  fileprivate func refuseImpossibleForward() throws(RegistrationError) {
    guard let target = forwardedKey else { return }
    if servability(of: target.product, as: key.product) == .impossible {
      throw .doesNotImplement(key: key, target: target, location: location)
    }
  }

  /// Has the container tree's resolves track their resolutions if the instances depend on that.
  func enableTracking(in core: ContainerCore) {
    if policy.tracksResolutions { core.trackResolutions() }
  }
}
