// SPDX-License-Identifier: MIT

/// A part of a container that keeps the container alive.
package struct ContainerKeeper: Sendable {
  package enum Part: Sendable {
    case factory
    case instance
    case decorator
  }

  package let part: Part
  /// The key of the registration, or the decorated type.
  package let subject: String
  /// The source location of the registration, or of the decorator.
  package let location: SourceLocation
}

extension ContainerCore {
  /// Releases the registrations and decorators of a container that nobody uses any more, one by
  /// one, as the deinit of the container would. A part keeps the container if the part's release
  /// lowers the container's count of references.
  ///
  /// - Parameter owner: the container of this core.
  /// - Returns: the keepers. Of several parts that share the object with the reference, the part
  ///   released last is a keeper.
  func endFindingKeepers(of owner: AnyObject) -> [ContainerKeeper] {
    let deadline = ContinuousClock.now + longestSearch
    var keepers: [ContainerKeeper] = []
    let overridden = takeOverridden()
    drop(overridden, .ended)
    overridden.retire()
    for (slot, key, location, isConstant) in slotsByPosition {
      func release(_ part: ContainerKeeper.Part, _ take: () -> RetiredRegistration?) {
        let isLowered = lowersCount(of: owner, until: deadline) {
          drop(table.withWriterLock(take), .ended)
        }
        guard isLowered else { return }
        keepers.append(ContainerKeeper(part: part, subject: "\(key)", location: location))
      }
      if !isConstant { release(.instance) { slot.releaseInstanceAssumingWriterLockHeld() } }
      release(isConstant ? .instance : .factory) { slot.clearAssumingWriterLockHeld() }
    }
    for (product, number, location) in decoratorsByNumber {
      let isLowered = lowersCount(of: owner, until: deadline) {
        changeComposition {
          $0.decorators[ObjectIdentifier(product)]?.removeAll { $0.number == number }
        }
      }
      guard isLowered else { continue }
      keepers.append(
        ContainerKeeper(part: .decorator, subject: spelling(of: product), location: location))
    }
    return keepers
  }

  /// The slots with a registration. No registration is retained.
  private var slotsByPosition:
    [(slot: SlotReference, key: RegistrationKey, location: SourceLocation, isConstant: Bool)]
  {
    var found: [(UInt64, SlotReference, RegistrationKey, SourceLocation, Bool)] = []
    forEachSlotWithRegistration { slot, record in
      found.append((record.position, slot, record.key, record.location, record.isConstant))
    }
    return found.sorted { $0.0 < $1.0 }.map { ($0.1, $0.2, $0.3, $0.4) }
  }

  private func forEachSlotWithRegistration(_ body: (SlotReference, RegistrationRecord) -> Void) {
    table.forEachSlot { slot in slot.withRegistration { body(slot, $0) } }
  }

  private var decoratorsByNumber: [(product: any Any.Type, number: UInt64, SourceLocation)] {
    (composition?.decorators.values.flatMap(\.self) ?? []).sorted { $0.number < $1.number }.map {
      ($0.product, $0.number, $0.location)
    }
  }

  /// Whether the count of references to `owner` is lower once `release` has released an object.
  ///
  /// Threads in sections delay deinits, other threads may run deinits that they have begun, and an
  /// object may retire what has the reference.
  private func lowersCount(
    of owner: AnyObject, until deadline: ContinuousClock.Instant, _ release: () -> Void
  ) -> Bool {
    let count = _getRetainCount(owner)
    release()
    repeat {
      Reclamation.reclaimAll()
      if _getRetainCount(owner) < count { return true }
    } while !Reclamation.isSettled && .now < deadline
    return _getRetainCount(owner) < count
  }

  /// Longer than a busy machine stops a thread that is in a section or destroys an object.
  private var longestSearch: Duration { .seconds(5) }
}
