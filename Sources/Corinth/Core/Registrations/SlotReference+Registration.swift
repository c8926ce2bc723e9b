// SPDX-License-Identifier: MIT

/// The registration that a container's slot holds.
extension SlotReference {
  /// Calls `body` with the slot's registration, if any, without counting a reference.
  func withRegistration<Result>(_ body: (RegistrationRecord) -> Result) -> Result? {
    let section = Section.enter()
    defer { section.leave() }
    // SAFETY: the section keeps the registration alive.
    return unsafe load().registration?._withUnsafeGuaranteedRef(body)
  }

  /// The registration, if any, retained.
  @inline(never) var registration: RegistrationRecord? { withRegistration { $0 } }

  func withRegistrationAssumingWriterLockHeld<Result>(
    _ body: (RegistrationRecord) -> Result
  ) -> Result? {
    // SAFETY: only writers take registrations out of slots.
    unsafe load().registration?._withUnsafeGuaranteedRef(body)
  }

  /// The registration, if any, retained.
  var registrationAssumingWriterLockHeld: RegistrationRecord? {
    withRegistrationAssumingWriterLockHeld { $0 }
  }

  /// Hands the slot a reference to `record`.
  ///
  /// - Returns: the registration replaced, if any.
  func publishAssumingWriterLockHeld(
    _ record: consuming RegistrationRecord
  ) -> RetiredRegistration? {
    let word = SlotWord(publishing: record)
    // SAFETY: the slot owns the reference, until a RetiredRegistration takes over.
    unsafe _ = Unmanaged.passRetained(consume record)
    return retired(exchangeAssumingWriterLockHeld(word))
  }

  /// Empties the slot.
  ///
  /// - Returns: the registration removed, if any.
  func clearAssumingWriterLockHeld() -> RetiredRegistration? {
    retired(exchangeAssumingWriterLockHeld(.absent))
  }

  /// Retires the registration of a word, and notes a registration with instances: dependents may
  /// hold one, and the instance's own dependencies are no longer those of the slot.
  @inline(__always)
  private func retired(_ word: SlotWord) -> RetiredRegistration? {
    if word.isAbsent { return nil }
    // SAFETY: the slot's reference to the registration has not been given up yet.
    unsafe word.registration?._withUnsafeGuaranteedRef { record in
      if record.hasInstances, !record.owner.isClosed {
        record.owner.extras.replacedSlots.insert(self)
      }
    }
    return RetiredRegistration(word)
  }

  /// Publishes the result of `make` for the slot's registration, if any.
  ///
  /// - Returns: the registration replaced, if any.
  func replaceAssumingWriterLockHeld(
    _ make: (RegistrationRecord) -> RegistrationRecord?
  ) -> RetiredRegistration? {
    guard let record = withRegistrationAssumingWriterLockHeld(make) ?? nil else { return nil }
    return publishAssumingWriterLockHeld(record)
  }

  /// Replaces a registration with an instance, or with a construction, by a copy without instance.
  ///
  /// - Returns: the registration replaced, if any.
  @inline(never) func releaseInstanceAssumingWriterLockHeld() -> RetiredRegistration? {
    replaceAssumingWriterLockHeld { current in
      // The value is the only possible instance.
      !current.isConstant && current.hasInstances ? current.withoutInstance() : nil
    }
  }

  /// Has the user's ``CustomStorage`` release its products. No lock is held.
  ///
  /// - Returns: whether the registration has a custom storage.
  @discardableResult
  func releaseCustomStorage() -> Bool {
    guard let custom = registration?.lifecycle.customStorage else { return false }
    custom.release()
    return true
  }
}

extension [SlotReference] {
  /// Whether every slot has a registration, and the positions ascend.
  var areRegisteredInOrder: Bool {
    let section = Section.enter()
    defer { section.leave() }
    var last: UInt64 = 0
    for slot in self {
      // SAFETY: the section keeps the registration alive.
      guard
        let position = unsafe slot.load().registration?._withUnsafeGuaranteedRef({ $0.position }),
        position > last
      else { return false }
      last = position
    }
    return true
  }
}
