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

extension ContainerKeeper {
  /// Releases the registrations and decorators of a container that nobody uses any more, one by
  /// one, as the deinit of the container would. A part keeps the container if the part's release
  /// lowers the container's count of references.
  ///
  /// - Parameters:
  ///   - core: the core of the container.
  ///   - owner: the container.
  /// - Returns: the keepers. Of several parts that share the object with the reference, the part
  ///   released last is a keeper.
  static func ending(_ core: ContainerCore, of owner: AnyObject) -> [ContainerKeeper] {
    let deadline = ContinuousClock.now + longestSearch
    var keepers: [ContainerKeeper] = []
    let overridden = core.takeOverridden()
    core.drop(overridden, .ended)
    overridden.retire()
    for (slot, key, location, isConstant) in slotsByPosition(of: core) {
      func release(_ part: Part, _ take: () -> RetiredRegistration?) {
        let isLowered = lowersCount(of: owner, until: deadline) {
          core.drop(core.table.withWriterLock(take), .ended)
        }
        guard isLowered else { return }
        keepers.append(ContainerKeeper(part: part, subject: "\(key)", location: location))
      }
      if !isConstant { release(.instance) { slot.releaseInstanceAssumingWriterLockHeld() } }
      release(isConstant ? .instance : .factory) { slot.clearAssumingWriterLockHeld() }
    }
    for (product, number, location) in decoratorsByNumber(of: core) {
      let isLowered = lowersCount(of: owner, until: deadline) {
        core.changeComposition {
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
  private static func slotsByPosition(
    of core: ContainerCore
  ) -> [(slot: SlotReference, key: RegistrationKey, location: SourceLocation, isConstant: Bool)] {
    var found: [(UInt64, SlotReference, RegistrationKey, SourceLocation, Bool)] = []
    core.table.forEachSlot { slot in
      slot.withRegistration {
        found.append(($0.position, slot, $0.key, $0.location, $0.isConstant))
      }
    }
    return found.ordered(by: \.0).map { ($0.1, $0.2, $0.3, $0.4) }
  }

  private static func decoratorsByNumber(
    of core: ContainerCore
  ) -> [(product: any Any.Type, number: UInt64, SourceLocation)] {
    (core.composition?.decorators.values.flatMap(\.self) ?? []).ordered(by: \.number)
      .map { ($0.product, $0.number, $0.location) }
  }

  /// Whether the count of references to `owner` is lower once `release` has released an object.
  ///
  /// Threads in sections delay deinits, other threads may run deinits that they have begun, and an
  /// object may retire what has the reference.
  private static func lowersCount(
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
  private static var longestSearch: Duration { .seconds(5) }
}
