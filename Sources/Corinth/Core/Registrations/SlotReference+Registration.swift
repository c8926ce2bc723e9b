// SPDX-License-Identifier: MIT

/// The registration that a container's slot holds.
extension SlotReference {
  /// Calls `body` with the registration, if there is one, without counting a reference to it.
  func withRegistration<Result>(_ body: (RegistrationRecord) -> Result) -> Result? {
    let section = Section.enter()
    defer { section.leave() }
    // SAFETY: the section keeps the registration alive.
    return unsafe load().registration?._withUnsafeGuaranteedRef(body)
  }

  /// The registration, if there is one, retained.
  var registration: RegistrationRecord? { withRegistration { $0 } }

  func withRegistrationAssumingWriterLockHeld<Result>(
    _ body: (RegistrationRecord) -> Result
  ) -> Result? {
    // SAFETY: only writers take registrations out of slots.
    unsafe load().registration?._withUnsafeGuaranteedRef(body)
  }

  /// The registration, if there is one, retained.
  var registrationAssumingWriterLockHeld: RegistrationRecord? {
    withRegistrationAssumingWriterLockHeld { $0 }
  }

  /// Hands the slot a reference to `record`.
  ///
  /// - Returns: the registration replaced, if there was one.
  func publishAssumingWriterLockHeld(_ record: RegistrationRecord) -> RetiredRegistration? {
    // SAFETY: the reference is the slot's, until a RetiredRegistration takes it over.
    unsafe _ = Unmanaged.passRetained(record)
    return RetiredRegistration(exchangeAssumingWriterLockHeld(SlotWord(publishing: record)))
  }

  /// Empties the slot.
  ///
  /// - Returns: the registration removed, if there was one.
  func clearAssumingWriterLockHeld() -> RetiredRegistration? {
    RetiredRegistration(exchangeAssumingWriterLockHeld(.absent))
  }

  /// Publishes the result of `make` for the slot's registration, if there is one.
  ///
  /// - Returns: the registration replaced, if one was.
  func replaceAssumingWriterLockHeld(
    _ make: (RegistrationRecord) -> RegistrationRecord?
  ) -> RetiredRegistration? {
    guard let record = withRegistrationAssumingWriterLockHeld(make) ?? nil else { return nil }
    return publishAssumingWriterLockHeld(record)
  }

  /// Replaces a registration that stores an instance, or builds one, by the same without an instance, or by nothing if it
  /// could not build another.
  ///
  /// - Returns: the registration replaced, if one was.
  func releaseInstanceAssumingWriterLockHeld() -> RetiredRegistration? {
    if withRegistrationAssumingWriterLockHeld(\.isBuiltByItsCaller) ?? false {
      return clearAssumingWriterLockHeld()
    }
    return replaceAssumingWriterLockHeld { current in
      // There is no other instance than the value.
      if current.isConstant { return nil }
      let isKept = current.forms.flatMap(\.instances).contains { state in
        if case .empty = state.current { false } else { true }
      }
      return isKept ? current.withoutInstance() : nil
    }
  }

  /// Has the user's ``CustomStorage`` release its products. No lock is held.
  ///
  /// - Returns: whether there is such an instance.
  @discardableResult
  func releaseCustomStorage() -> Bool {
    guard let custom = registration?.lifecycle.customStorage else { return false }
    custom.release()
    return true
  }
}

extension [SlotReference] {
  /// Whether each of them has a registration, and the positions ascend.
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
