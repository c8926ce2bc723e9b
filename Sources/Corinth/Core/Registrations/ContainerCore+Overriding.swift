// SPDX-License-Identifier: MIT

/// Overrides that may be undone.
extension ContainerCore {
  /// Overrides a key's registration, which must exist. The overridden one keeps its instances.
  ///
  /// - Throws: an error with similar registrations if the key has none here; `RegistrationError`.
  func override(_ record: RegistrationRecord) throws -> Overriding {
    let overriding = Overriding(record.key, serial: record.serial)
    let publication = try publish(
      record, .registration, takingOld: true, as: overriding)
    if !publication.isDone { throw missing(record.key, for: .overriding(record.location)) }
    return overriding
  }

  /// The attributes that an override takes over from the key's registration. Behind a forward, the
  /// registration that makes the instances is meant.
  func overridden(_ key: RegistrationKey) -> (scope: AnyScope, isEager: Bool)? {
    guard ownSlot(of: key)?.registration != nil || hasInBase(key) else { return nil }
    return registration(behind: key).map(\.served).map {
      ($0.attributes.scopeForOverride, $0.attributes.isEager)
    }
  }

  /// Whether the base of a version has a registration of the key, not replaced by the version.
  func hasInBase(_ key: RegistrationKey) -> Bool {
    guard let base = baseOfLayer else { return false }
    return ownSlot(of: key)?.registration == nil && base.ownSlot(of: key)?.registration != nil
  }

  /// Undoes an override. If the override was overridden meanwhile, the end of the later override
  /// restores the registration from before both.
  ///
  /// - Returns: whether the override was in effect.
  func undo(_ overriding: Overriding) -> Bool {
    guard let slot = table.find(overriding.key) else { return false }
    var isDone = false
    // Released after the lock: the deinits of instances are user code.
    var dropped: RegistrationRecord?
    let replaced = table.withWriterLock { () -> RetiredRegistration? in
      if isFrozen || isClosed { return nil }
      let current = slot.withRegistrationAssumingWriterLockHeld { $0.serial }
      let above = override(of: overriding.serial)
      var top = above
      while let next = top.flatMap({ override(of: $0.serial) }) { top = next }
      // A different registration has been made meanwhile, or the slot is empty.
      if current == nil || current != (top ?? overriding).serial { return nil }
      guard let former = endAssumingWriterLockHeld(overriding) else { return nil }
      isDone = true
      guard let above else { return publishAssumingWriterLockHeld(former, in: slot) }
      dropped = above.formerRecord
      above.former = former
      return nil
    }
    if let replaced { drop(replaced, .removed) }
    if let dropped { drop([dropped], .removed) }
    return isDone
  }

  /// The override that can be undone, of the registration with a serial number.
  private func override(of serial: UInt64) -> Overriding? {
    extras.overrides.first { $0.formerRecord?.serial == serial }
  }

  /// Makes an override permanent, and releases the instances of the overridden registration.
  func keep(_ overriding: Overriding) {
    let former = table.withWriterLock { endAssumingWriterLockHeld(overriding) }
    if let former { drop([former], .overridden) }
  }

  /// The registrations below the overrides of a closed container, whose instances end too.
  var overridden: [RegistrationRecord] {
    guard let extras = extrasIfMade else { return [] }
    return table.withWriterLock { extras.overrides.compactMap(\.formerRecord) }
  }

  /// Ends all overrides.
  ///
  /// - Returns: the registrations below them.
  func takeOverridden() -> [RegistrationRecord] {
    guard let extras = extrasIfMade else { return [] }
    // Released after the lock.
    let overrides = table.withWriterLock {
      defer { extras.overrides = [] }
      return extras.overrides
    }
    return overrides.compactMap { overriding in
      table.withWriterLock { endAssumingWriterLockHeld(overriding) }
    }
  }

  /// - Returns: the overridden registration; `nil` after an earlier call.
  private func endAssumingWriterLockHeld(_ overriding: Overriding) -> RegistrationRecord? {
    if overriding.isOver { return nil }
    overriding.isOver = true
    extras.overrides.removeAll { $0 === overriding }
    defer { overriding.former = nil }
    return overriding.formerRecord
  }

  /// Has overridden registrations of a product come back without an instance when restored.
  ///
  /// - Returns: the registrations kept until now, to be released by the caller with no lock held.
  func renewOverriddenAssumingWriterLockHeld(
    _ product: any Any.Type
  ) -> [RegistrationRecord] {
    var renewed: [RegistrationRecord] = []
    for overriding in extrasIfMade?.overrides ?? [] where overriding.key.product == product {
      guard let former = overriding.formerRecord, !former.isBuiltByItsCaller else { continue }
      renewed.append(former)
      overriding.former = former.copy(former.attributesToCopy)
    }
    return renewed
  }

  /// Removes the container's own registration of a key, and hides the ancestors' ones.
  func hide(_ key: RegistrationKey, at location: SourceLocation) throws(RegistrationError) {
    // Published as an adopted registration, so that a later registration may take the place.
    var attributes = RegistrationAttributes(
      key: key, scope: AnyScope.transient, onDuplicate: .override, location: location, owner: self)
    attributes.isAdopted = true
    _ = try publish(AbsenceRecord(attributes), .registration)
  }
}

extension Overriding {
  fileprivate var formerRecord: RegistrationRecord? { former as? RegistrationRecord }
}

/// An override that can be undone, and becomes permanent with the last reference to the object.
final class Override: Sendable {
  private let registry: ContainerCore
  private let overriding: Overriding

  init(_ overriding: Overriding, in registry: ContainerCore) {
    self.overriding = overriding
    self.registry = registry
  }

  deinit {
    registry.keep(overriding)
  }

  func restore() -> Bool {
    registry.undo(overriding)
  }
}
