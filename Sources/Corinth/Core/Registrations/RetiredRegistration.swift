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
    unsafe Reclamation.retire(registration: reference, isAwaited || hasInstance ? .awaited : .lazy)
    discard self
  }

  private var hasInstance: Bool {
    // SAFETY: the reference is this value's.
    unsafe reference._withUnsafeGuaranteedRef {
      if case .built = $0.current { true } else { false }
    }
  }

  /// Lets its instances go, see ``RegistrationRecord/dropInstances(_:)``.
  func dropInstances(_ mark: DropMark) -> [DroppedInstance] {
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

/// Registrations that are retired together.
// SAFETY: filled before it is shared.
final class RetiredRegistrations: @unchecked Sendable {
  private(set) var records: [RegistrationRecord] = []

  deinit {
    HeldLocks.assertNone(RetiredRegistrations.self)
    for record in records where record.isForCells { Reclamation.withdraw(record) }
  }

  func takeOver(_ registration: consuming RetiredRegistration) {
    records.append(registration.takeRecord())
  }

  /// Releases the registrations once no reader can be using them.
  func retire(_ urgency: Reclamation.Urgency = .awaited) {
    if records.isEmpty { return }
    // SAFETY: the reference passed is retained for the epoch, which releases it.
    unsafe Reclamation.retire(Unmanaged.passRetained(self), urgency)
  }
}
