// SPDX-License-Identifier: MIT

extension SlotRegistry {
  /// Publishes a registration under its key and retires the one that it replaces.
  func register(_ record: RegistrationRecord) throws(RegistrationError) {
    let word = SlotWord(record)
    var existing: SourceLocation?
    var replaced = SlotWord.absent
    let slot = slotMade(for: record.key)
    withWriterLock {
      unsafe slot.load().registration?._withUnsafeGuaranteedRef {
        if !$0.isOverridable || !record.isOverridable { existing = $0.location }
      }
      guard existing == nil else { return }
      replaced = slot.publishAssumingWriterLockHeld(record, as: word)
    }
    if let existing {
      throw .alreadyRegistered(key: record.key, existing: existing, refused: record.location)
    }
    retire(replaced)
  }

  /// Publishes what `derive` makes of the key's registration if that is the one numbered `serial`, and
  /// does nothing otherwise.
  func rederive(
    _ key: RegistrationKey, serial: UInt64, _ derive: (RegistrationRecord) -> RegistrationRecord
  ) {
    guard let slot = slot(of: key) else { return }
    var replaced = SlotWord.absent
    withWriterLock {
      unsafe slot.load().registration?._withUnsafeGuaranteedRef { current in
        guard current.serial == serial else { return }
        let record = derive(current)
        replaced = slot.publishAssumingWriterLockHeld(record, as: SlotWord(record))
      }
    }
    retire(replaced)
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
    unsafe Reclamation.retire(Unmanaged.passRetained(removed))
  }

  func contains(_ key: RegistrationKey) -> Bool {
    guard let slot = slot(of: key) else { return false }
    return !slot.load().isAbsent
  }

  /// Calls `body` with what is registered now. Lock-free.
  func forEachRegistration(_ body: (RegistrationKey, SourceLocation) -> Void) {
    forEachSlot { slot in
      let section = Section.enter()
      defer { section.leave() }
      unsafe slot.load().registration?._withUnsafeGuaranteedRef { body($0.key, $0.location) }
    }
  }

  private func retire(_ word: SlotWord) {
    if let registration = unsafe word.registration { unsafe Reclamation.retire(registration) }
  }
}

/// Registrations that are retired together.
private final class RemovedRegistrations {
  private var registrations: [RegistrationRecord] = []

  /// Takes over the reference that the registration's slot gave up.
  func add(_ registration: Unmanaged<RegistrationRecord>) {
    unsafe registrations.append(registration.takeRetainedValue())
  }
}

extension SlotReference {
  /// Hands the slot a reference to `record`, and returns the word replaced.
  fileprivate func publishAssumingWriterLockHeld(
    _ record: RegistrationRecord, as word: SlotWord
  ) -> SlotWord {
    unsafe _ = Unmanaged.passRetained(record)
    return exchangeAssumingWriterLockHeld(word)
  }
}
