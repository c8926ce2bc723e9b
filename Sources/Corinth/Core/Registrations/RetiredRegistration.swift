// SPDX-License-Identifier: MIT

/// A registration removed from a slot, together with the slot's reference to the record.
///
/// Readers may still use the record, so ``retire()`` gives the reference up through the epoch, with
/// no lock held, as deinits run user code. To drop the value without a call of `retire` traps.
@safe
struct RetiredRegistration: ~Copyable {
  // SAFETY: owns the slot's reference: a single exchange takes each word out of its slot.
  private let reference: Unmanaged<RegistrationRecord>

  /// - Parameter word: the word that an exchange has removed from a slot.
  /// - Returns: `nil` for the absent word.
  init?(_ word: SlotWord) {
    guard let registration = unsafe word.registration else { return nil }
    unsafe reference = registration
  }

  /// Releases the registration once no reader can be using it.
  ///
  /// - Parameter isAwaited: whether the user expects the deinits of what the factory captures. The
  ///   deinit of an instance is always expected.
  consuming func retire(isAwaited: Bool = false) {
    // SAFETY: the value owns the reference.
    let (hasInstance, isInStock) = unsafe reference._withUnsafeGuaranteedRef {
      ($0.isBuilt, $0.isInStock)
    }
    unsafe Reclamation.retire(
      reference, isAwaited || hasInstance ? .awaited : .lazy, isInStock: isInStock)
    discard self
  }

  /// Lets go of the instances, see ``RegistrationRecord/dropInstances(_:)``.
  func dropInstances(_ mark: DropMark) -> [UndisposedInstance] {
    // SAFETY: the value owns the reference.
    unsafe reference._withUnsafeGuaranteedRef { $0.dropInstances(mark) }
  }

  /// The registration, still to be retired by the caller.
  consuming func takeRecord() -> RegistrationRecord {
    let record = unsafe reference.takeRetainedValue()
    discard self
    return record
  }

  /// Retires the registration, still in use by the caller.
  consuming func retireInUse() -> RegistrationRecord {
    let record = takeRecord()
    [record].retire()
    return record
  }

  deinit {
    precondition(false, "RetiredRegistration: 'retire' must be called")
  }
}

extension Collection<RegistrationRecord> {
  /// Lets go of the instances of all, see ``RegistrationRecord/dropInstances(_:)``.
  func dropInstances(_ mark: DropMark) -> [UndisposedInstance] {
    var found: [UndisposedInstance] = []
    unsafe forEachUnretained { record, _ in
      let dropped = unsafe record._withUnsafeGuaranteedRef { $0.dropInstances(mark) }
      if !dropped.isEmpty { found += dropped }
    }
    return found
  }

  /// Releases registrations removed from slots once no reader can use them. Retires each record by
  /// itself: user code that runs meanwhile may need one of the records.
  func retire(_ urgency: Reclamation.Urgency = .awaited) {
    HeldLocks.assertNone(RegistrationRecord.self)
    // Records beyond the reach of readers go with the collection.
    let isImmediate = Reclamation.isImmediate
    unsafe forEachUnretained { record, number in
      let isInStock = unsafe record._withUnsafeGuaranteedRef { $0.isInStock }
      if isImmediate, !isInStock { return }
      let isLastOfBatch =
        isImmediate || number.isMultiple(of: Reclamation.retiredTogether) || number == count
      // SAFETY: the epoch gets a retained reference, and releases it.
      unsafe Reclamation.retire(
        record.retain(), isLastOfBatch ? urgency : .withNext, isInStock: isInStock)
    }
  }

  /// Calls `body` with each registration, at +0, and the number of registrations so far. Iterators
  /// would count two references to each.
  // SAFETY: the collection holds the registrations, in memory of its own: references lie there.
  @inline(__always)
  private func forEachUnretained(_ body: (Unmanaged<RegistrationRecord>, Int) -> Void) {
    let isDone: Void? = withContiguousStorageIfAvailable { records in
      unsafe records.withMemoryRebound(to: Unmanaged<RegistrationRecord>.self) { records in
        for index in records.indices { unsafe body(records[index], index + 1) }
      }
    }
    precondition(isDone != nil, "RegistrationRecord: registrations must lie in one piece of memory")
  }
}
