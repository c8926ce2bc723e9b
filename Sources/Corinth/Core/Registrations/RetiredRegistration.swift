// SPDX-License-Identifier: MIT

/// A registration that its slot does not hold any more, with the reference that the slot had to it.
///
/// Readers may still be using it, so the reference is given up through the epoch: ``retire()``, with no lock held,
/// as user code may run in deinits. A value that is dropped instead traps.
@safe
struct RetiredRegistration: ~Copyable {
  // SAFETY: owns one reference, that of the slot. Each word is taken out of its slot by one exchange only.
  private let reference: Unmanaged<RegistrationRecord>

  /// - Parameter word: the word that an exchange has taken out of its slot.
  /// - Returns: `nil` for the absent word.
  init?(_ word: SlotWord) {
    guard let registration = unsafe word.registration else { return nil }
    unsafe reference = registration
  }

  /// Releases the registration once no reader can be using it.
  ///
  /// - Parameter isAwaited: whether the user expects the deinit of what it captures. That of its instance always is.
  consuming func retire(isAwaited: Bool = false) {
    // SAFETY: the reference is this value's.
    let (hasInstance, isInStock) = unsafe reference._withUnsafeGuaranteedRef {
      ($0.isBuilt, $0.isInStock)
    }
    unsafe Reclamation.retire(
      reference, isAwaited || hasInstance ? .awaited : .lazy, isInStock: isInStock)
    discard self
  }

  /// Lets its instances go, see ``RegistrationRecord/dropInstances(_:)``.
  func dropInstances(_ mark: DropMark) -> [UndisposedInstance] {
    // SAFETY: the reference is this value's.
    unsafe reference._withUnsafeGuaranteedRef { $0.dropInstances(mark) }
  }

  /// The registration. It must still be retired.
  consuming func takeRecord() -> RegistrationRecord {
    let record = unsafe reference.takeRetainedValue()
    discard self
    return record
  }

  deinit {
    precondition(false, "RetiredRegistration: 'retire' must be called")
  }
}

extension [RegistrationRecord] {
  /// Releases the registrations, of each of which a slot had a reference, once no reader can be using them. Each on its own:
  /// user code that runs may need one of them.
  func retire(_ urgency: Reclamation.Urgency = .awaited) {
    HeldLocks.assertNone(RegistrationRecord.self)
    // Those that no reader can be using go with the array.
    let isImmediate = Reclamation.isImmediate
    for (index, record) in enumerated() where !isImmediate || record.isInStock {
      let isLastOfBatch =
        isImmediate || (index + 1).isMultiple(of: Reclamation.retiredTogether) || index + 1 == count
      // SAFETY: the reference passed is retained for the epoch, which releases it.
      unsafe Reclamation.retire(
        Unmanaged.passRetained(record), isLastOfBatch ? urgency : .withNext,
        isInStock: record.isInStock)
    }
  }
}
