// SPDX-License-Identifier: MIT

internal import CCorinth

extension ContainerCore {
  /// Publishes a registration under its key and retires the one that it replaces.
  func register(_ record: RegistrationRecord) throws(RegistrationError) {
    record.enableTracking(to: self)
    var existing: SourceLocation?
    var replaced = SlotWord.absent
    let slot = slotMade(for: record.key)
    let isRefused = withWriterLock {
      if isClosed { return true }
      unsafe slot.load().registration?._withUnsafeGuaranteedRef {
        if !$0.isOverridable || !record.isOverridable { existing = $0.location }
      }
      guard existing == nil else { return false }
      replaced = slot.publishAssumingWriterLockHeld(record)
      return false
    }
    if isRefused { throw .containerClosed(key: record.key, location: record.location) }
    if let existing {
      throw .alreadyRegistered(key: record.key, existing: existing, refused: record.location)
    }
    retire(replaced)
  }

  /// Changes the attributes of the key's registration if that is the one numbered `serial` and `change`
  /// agrees, and does nothing otherwise. It starts without an instance.
  func modify(
    _ key: RegistrationKey, serial: UInt64, _ change: (inout RegistrationAttributes) -> Bool
  ) {
    guard let slot = slot(of: key) else { return }
    let replaced = unsafe withWriterLock {
      unsafe slot.replaceAssumingWriterLockHeld { current in
        guard current.serial == serial else { return nil }
        var attributes = current.attributes
        guard change(&attributes) else { return nil }
        let record = current.copy(attributes)
        record.enableTracking(to: self)
        return record
      }
    }
    if let replaced = unsafe replaced { unsafe Reclamation.retire(replaced) }
  }

  /// Takes the instance away that the key's registration keeps.
  ///
  /// - Returns: whether there was one.
  func releaseInstance(of key: RegistrationKey) -> Bool {
    guard let slot = slot(of: key) else { return false }
    let isCustom = slot.releaseCustomInstance()
    let replaced = unsafe withWriterLock { unsafe slot.releaseInstanceAssumingWriterLockHeld() }
    guard let replaced = unsafe replaced else { return isCustom }
    unsafe Reclamation.retire(replaced)
    return true
  }

  /// Takes all instances away that registrations keep.
  func releaseAllInstances() {
    guard hasSlots else { return }
    let removed = RemovedRegistrations()
    forEachSlot { $0.releaseCustomInstance() }
    withWriterLock {
      forEachSlot { slot in
        if let replaced = unsafe slot.releaseInstanceAssumingWriterLockHeld() {
          unsafe removed.add(replaced)
        }
      }
    }
    removed.retire()
  }

  /// The keys of the registrations that are marked as eager, in the order in which these were made.
  var eagerKeys: [RegistrationKey] {
    var found: [RegistrationRecord] = []
    forEachRegistration { _, record in
      if record.isEager { found.append(record) }
    }
    return found.sorted { $0.serial < $1.serial }.map(\.key)
  }

  /// Empties the key's slot.
  ///
  /// - Returns: whether something was registered.
  func unregister(_ key: RegistrationKey) -> Bool {
    guard let slot = slot(of: key) else { return false }
    let removed = withWriterLock { slot.exchangeAssumingWriterLockHeld(.absent) }
    retire(removed)
    return !removed.isAbsent
  }

  /// Lets go of all registrations and instances, when the container itself is gone.
  func endOfContainer() {
    if isClosed, !hasSlots { return }
    // Resolvers and providers that outlive the container are not to find its ancestors' registrations in place
    // of what it resolved to.
    seal()
    unregisterAll()
    instances.close()
  }

  /// Empties all slots, one after the other.
  func unregisterAll() {
    _ = takeRegistrations()
  }

  /// Empties all slots, one after the other.
  ///
  /// - Returns: what was registered.
  func takeRegistrations() -> [RegistrationRecord] {
    guard hasSlots else { return [] }
    let removed = RemovedRegistrations()
    withWriterLock {
      forEachSlot { slot in
        let word = slot.exchangeAssumingWriterLockHeld(.absent)
        if let registration = unsafe word.registration { unsafe removed.add(registration) }
      }
    }
    let records = removed.records
    removed.retire()
    return records
  }

  /// Whether something is registered under the key, here or in an ancestor.
  func contains(_ key: RegistrationKey) -> Bool {
    registeredSlot(of: key) != nil
  }

  /// Calls `body` with what is registered now. Lock-free.
  func forEachRegistration(_ body: (SlotReference, RegistrationRecord) -> Void) {
    forEachSlot { slot in
      let section = Section.enter()
      defer { section.leave() }
      unsafe slot.load().registration?._withUnsafeGuaranteedRef { body(slot, $0) }
    }
  }

  /// Calls `body` with what is registered now, here and in the ancestors. Lock-free.
  func forEachRegistrationOfSelfAndAncestors(_ body: (RegistrationRecord) -> Void) {
    for registry in selfAndAncestors { registry.forEachRegistration { _, record in body(record) } }
  }

  /// Whether anything has ever been registered here.
  var hasSlots: Bool { unsafe corinth_registry_slots(pointer) != nil }

  private func retire(_ word: SlotWord) {
    if let registration = unsafe word.registration {
      unsafe Reclamation.retire(registration)
    } else {
      // What readers kept from being destroyed waits for a writer, and this is one.
      Reclamation.reclaim()
    }
  }
}

/// Registrations that are retired together.
private final class RemovedRegistrations {
  private(set) var records: [RegistrationRecord] = []

  /// Takes over the reference that the registration's slot gave up.
  func add(_ registration: Unmanaged<RegistrationRecord>) {
    unsafe records.append(registration.takeRetainedValue())
  }

  func retire() {
    if records.isEmpty { return }
    unsafe Reclamation.retire(Unmanaged.passRetained(self))
  }
}

extension RegistrationRecord {
  /// Has the family's resolves track their resolutions if the instances depend on that.
  fileprivate func enableTracking(to registry: ContainerCore) {
    if scope.dependsOnResolution { registry.trackResolutions() }
  }
}

extension SlotReference {
  /// Hands the slot a reference to `record`, and returns the word replaced.
  fileprivate func publishAssumingWriterLockHeld(_ record: RegistrationRecord) -> SlotWord {
    unsafe _ = Unmanaged.passRetained(record)
    return exchangeAssumingWriterLockHeld(SlotWord(record))
  }

  /// Publishes what `make` makes of the slot's registration, if anything.
  ///
  /// - Returns: the registration replaced, which is the caller's to retire.
  fileprivate func replaceAssumingWriterLockHeld(
    _ make: (RegistrationRecord) -> RegistrationRecord?
  ) -> Unmanaged<RegistrationRecord>? {
    guard let current = unsafe load().registration else { return nil }
    guard let record = unsafe current._withUnsafeGuaranteedRef(make) else { return nil }
    _ = publishAssumingWriterLockHeld(record)
    return unsafe current
  }

  /// Has the user's ``Instance`` let go of what it keeps. No lock is held.
  ///
  /// - Returns: whether there is such an instance.
  @discardableResult
  fileprivate func releaseCustomInstance() -> Bool {
    let section = Section.enter()
    let record = unsafe load().registration?.takeUnretainedValue()
    section.leave()
    guard let custom = record?.lifecycle.customInstance else { return false }
    custom.release()
    return true
  }

  /// Replaces a registration that keeps an instance, or is building one, by one that does not.
  ///
  /// - Returns: the registration replaced, which is the caller's to retire.
  fileprivate func releaseInstanceAssumingWriterLockHeld() -> Unmanaged<RegistrationRecord>? {
    unsafe replaceAssumingWriterLockHeld { current in
      let isKept = current.instances.contains { state in
        if case .empty = state.current { false } else { true }
      }
      return isKept ? current.copy(current.attributes) : nil
    }
  }
}
