// SPDX-License-Identifier: MIT

extension SlotRegistry {
  /// Publishes a registration under its key and retires the one that it replaces.
  func register(_ record: RegistrationRecord) throws(RegistrationError) {
    var existing: SourceLocation?
    var replaced = SlotWord.absent
    let slot = slotMade(for: record.key)
    withWriterLock {
      unsafe slot.load().registration?._withUnsafeGuaranteedRef {
        if !$0.isOverridable || !record.isOverridable { existing = $0.location }
      }
      guard existing == nil else { return }
      replaced = slot.publishAssumingWriterLockHeld(record)
    }
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
        return change(&attributes) ? current.copy(attributes) : nil
      }
    }
    if let replaced = unsafe replaced { unsafe Reclamation.retire(replaced) }
  }

  /// Takes the instance away that the key's registration keeps.
  ///
  /// - Returns: whether there was one.
  func releaseInstance(of key: RegistrationKey) -> Bool {
    guard let slot = slot(of: key) else { return false }
    let replaced = unsafe withWriterLock { unsafe slot.releaseInstanceAssumingWriterLockHeld() }
    guard let replaced = unsafe replaced else { return false }
    unsafe Reclamation.retire(replaced)
    return true
  }

  /// Takes all instances away that registrations keep.
  func releaseAllInstances() {
    let removed = RemovedRegistrations()
    withWriterLock {
      forEachSlot { slot in
        if let replaced = unsafe slot.releaseInstanceAssumingWriterLockHeld() {
          unsafe removed.add(replaced)
        }
      }
    }
    removed.retire()
  }

  /// The registrations that are marked as eager, in the order in which they were made.
  var eagerRegistrations: [(slot: SlotReference, record: RegistrationRecord)] {
    var found: [(slot: SlotReference, record: RegistrationRecord)] = []
    forEachRegistration { slot, record in
      if record.isEager { found.append((slot, record)) }
    }
    return found.sorted { $0.record.serial < $1.record.serial }
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

  /// Empties all slots, one after the other.
  func unregisterAll() {
    let removed = RemovedRegistrations()
    withWriterLock {
      forEachSlot { slot in
        let word = slot.exchangeAssumingWriterLockHeld(.absent)
        if let registration = unsafe word.registration { unsafe removed.add(registration) }
      }
    }
    removed.retire()
  }

  func contains(_ key: RegistrationKey) -> Bool {
    guard let slot = slot(of: key) else { return false }
    return !slot.load().isAbsent
  }

  /// Calls `body` with what is registered now. Lock-free.
  func forEachRegistration(_ body: (SlotReference, RegistrationRecord) -> Void) {
    forEachSlot { slot in
      let section = Section.enter()
      defer { section.leave() }
      unsafe slot.load().registration?._withUnsafeGuaranteedRef { body(slot, $0) }
    }
  }

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
  private var registrations: [RegistrationRecord] = []

  /// Takes over the reference that the registration's slot gave up.
  func add(_ registration: Unmanaged<RegistrationRecord>) {
    unsafe registrations.append(registration.takeRetainedValue())
  }

  func retire() {
    if registrations.isEmpty { return }
    unsafe Reclamation.retire(Unmanaged.passRetained(self))
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

  /// Replaces a registration that keeps an instance, or is building one, by one that does not.
  ///
  /// - Returns: the registration replaced, which is the caller's to retire.
  fileprivate func releaseInstanceAssumingWriterLockHeld() -> Unmanaged<RegistrationRecord>? {
    unsafe replaceAssumingWriterLockHeld { current in
      if case .empty = current.instance.current { return nil }
      return current.copy(current.attributes)
    }
  }
}
