// SPDX-License-Identifier: MIT

/// The registrations of a container.
extension ContainerCore {
  /// Publishes a registration under its key, by its own policy or else the container's.
  ///
  /// - Returns: whether the record was published; for a required override, the means to undo.
  /// - Throws: `RegistrationError`; for a missing required registration, an error with near misses.
  @inline(__always)
  func register(_ record: RegistrationRecord) throws -> (isDone: Bool, override: Override?) {
    switch record.attributes.onDuplicate ?? duplicates {
    case .keep where hasInBase(record.key): (false, nil)
    // A version does not change once in use: an override needs no undoing.
    case .require where hasInBase(record.key): (try publish(record, .replacement).isDone, nil)
    case .require: (true, try override(record))
    default: (try publish(record, .registration).isDone, nil)
    }
  }

  /// Publishes a registration under its key.
  ///
  /// - Parameters:
  ///   - mode: how to treat an existing registration, and a missing one.
  ///   - takingOld: whether the caller disposes of the replaced instances, instead of letting go.
  ///   - overriding: keeps the replaced registration, to restore it. If something is published, the
  ///     object is among the container's overrides afterwards.
  func publish(
    _ record: RegistrationRecord, _ mode: PublicationMode, takingOld: Bool = false,
    as overriding: Overriding? = nil
  ) throws(RegistrationError) -> Publication {
    if record.isForwarding { try refuseImpossibleForward(record) }
    enableTracking(for: record)
    if hasParent { forEachOfSelfAndAncestors { if $0 !== self { $0.noteRegistrationBelow() } } }
    // A fork adopts first: the base's registration has a position, adopted or not.
    if fork != nil { _ = ownSlot(of: record.key) }
    let publishing = try table.withWriterLock(
      makingSlotFor: KeyWords(record.key)
    ) { slot throws(RegistrationError) -> Publishing in
      let former = overriding == nil ? nil : slot.registrationAssumingWriterLockHeld
      let publishing = try publishAssumingWriterLockHeld(record, mode, in: slot)
      if let overriding, slot.registrationAssumingWriterLockHeld !== former {
        overriding.former = former
        extras.overrides.append(overriding)
      }
      return publishing
    }
    let isDone = publishing.isDone
    if let warnsOf = publishing.warnsOf { warn(of: record, overriding: warnsOf) }
    guard let replaced = publishing.replaced else {
      // Every writer reclaims, as in `drop`, which is not called for nothing.
      Reclamation.reclaim()
      return (isDone, nil)
    }
    if takingOld { return (isDone, replaced.retireInUse()) }
    drop(replaced, .overridden)
    return (isDone, nil)
  }

  // Out of line: inlined, it would have each publication copy the key.
  @inline(never)
  private func warn(of record: RegistrationRecord, overriding location: SourceLocation) {
    StandardError.write(
      "warning: \(record.key), registered at \(location), is overridden at \(record.location).")
  }

  private struct Publishing: ~Copyable {
    var isDone = true
    let replaced: RetiredRegistration?
    var warnsOf: SourceLocation?
  }

  private func publishAssumingWriterLockHeld(
    _ record: RegistrationRecord, _ mode: PublicationMode, in slot: SlotReference
  ) throws(RegistrationError) -> Publishing {
    if isClosed { throw .containerClosed(key: record.key, location: record.location) }
    if isFrozen { throw .containerFrozen(key: record.key, location: record.location) }
    let existing = slot.withRegistrationAssumingWriterLockHeld {
      (
        location: $0.location, isAdopted: $0.attributes.isAdopted,
        isReplaceable: $0.attributes.isReplaceable,
        isOverride: $0.attributes.onDuplicate == .require, isDefault: $0.attributes.isDefault
      )
    }
    let policy = mode == .replacement ? .override : record.attributes.onDuplicate ?? duplicates
    let takesDefaultsPlace = policy == .keep && existing?.isDefault == true
    if policy.leaves(existing != nil), !takesDefaultsPlace {
      return Publishing(isDone: false, replaced: nil)
    }
    guard let existing else {
      return Publishing(replaced: publishAssumingWriterLockHeld(decorated(record), in: slot))
    }
    let isForbidden =
      !existing.isReplaceable || !(record.attributes.isOverridable || existing.isAdopted)
    if isForbidden || policy == .refuse && !existing.isAdopted {
      throw .alreadyRegistered(
        key: record.key, existing: existing.location, refused: record.location,
        policy: isForbidden ? .override : .refuse)
    }
    // A module applied after a test's override would undo the override unnoticed.
    let undoesOverride =
      existing.isOverride && record.attributes.onDuplicate == nil && mode == .registration
    let warns =
      (policy == .warn || undoesOverride) && !existing.isAdopted
      && extras.reportedDuplicates.insert(slot).inserted
    return Publishing(
      replaced: publishAssumingWriterLockHeld(
        successor(of: record, in: slot, mode), in: slot),
      warnsOf: warns ? existing.location : nil)
  }

  /// The record, or a copy if a decorator has come since the value was made ready. The copy must be
  /// published, as destroying an object with the lock held is forbidden.
  @inline(__always)
  private func decorated(_ record: RegistrationRecord) -> RegistrationRecord {
    record.isConstant && Composition.isUsed ? record.copy(record.attributes) : record
  }

  /// The record, placed where the slot's registration is. The successor remembers the replaced
  /// registration if nobody asked for the override.
  private func successor(
    of record: RegistrationRecord, in slot: SlotReference, _ mode: PublicationMode
  ) -> RegistrationRecord {
    // Records for a replacement have an instance and a position, and may be shared already.
    if mode == .replacement { return record }
    return slot.withRegistrationAssumingWriterLockHeld { existing in
      let successor = remembering(existing, record)
      successor.takePosition(of: existing)
      return successor
    } ?? record
  }

  private func remembering(
    _ existing: RegistrationRecord, _ record: RegistrationRecord
  ) -> RegistrationRecord {
    let hasAny = record.attributes.onDuplicate == nil && (record.isForwarding || existing.isInput)
    if !hasAny { return decorated(record) }
    let replaced = ReplacedRegistration.all(by: record, replacing: existing)
    if replaced.isEmpty { return decorated(record) }
    var attributes = record.attributes
    attributes.replacedRegistrations = replaced
    return record.copy(attributes)
  }

  /// Refuses a forward whose target can have no instance of the type. A subclass of the target's
  /// type may conform: validation looks at such targets.
  private func refuseImpossibleForward(_ record: RegistrationRecord) throws(RegistrationError) {
    guard let target = record.forwardedKey else { return }
    if servability(of: target.product, as: record.key.product) == .impossible {
      throw .doesNotImplement(key: record.key, target: target, location: record.location)
    }
  }

  /// Has the container tree track resolutions if the registration's instances depend on them.
  func enableTracking(for record: RegistrationRecord) {
    if record.policy.tracksResolutions { trackResolutions() }
  }

  /// Removes the container's own registration of a key, and hides the ancestors' ones.
  func hide(_ key: RegistrationKey, at location: SourceLocation) throws(RegistrationError) {
    // Published as an adopted registration, so that a later registration may take the place.
    let attributes = RegistrationAttributes(
      key: key, scope: AnyScope.transient, onDuplicate: .override, by: .adoption,
      location: location, owner: self)
    _ = try publish(AbsenceRecord(attributes), .registration)
  }

  // MARK: - Overrides

  /// Overrides a key's registration, which must exist. The overridden one keeps its instances.
  ///
  /// - Throws: an error with similar registrations if the key has none here; `RegistrationError`.
  private func override(_ record: RegistrationRecord) throws -> Override {
    let overriding = Overriding(record.key, serial: record.serial)
    let publication = try publish(
      record, .registration, takingOld: true, as: overriding)
    if !publication.isDone { throw missing(record.key, for: .overriding(record.location)) }
    return Override(overriding, in: self)
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

  // MARK: - Modifiers

  /// Publishes changed attributes for the registration numbered `serial`, if still current and if
  /// `change` agrees. The new form has no instance yet, and takes over existing ones to end them.
  ///
  /// - Parameter modifier: the name for validation's finding, if the container is frozen.
  func modify(
    _ key: RegistrationKey, serial: UInt64, by modifier: StaticString? = nil,
    _ change: (inout RegistrationAttributes) -> Bool
  ) {
    guard let slot = table.find(key) else { return }
    var isRefused = false
    table.withWriterLock { () -> RetiredRegistration? in
      guard let current = slot.registrationAssumingWriterLockHeld else { return nil }
      var attributes = current.attributesToCopy
      guard attributes.serial == serial else { return nil }
      isRefused = isFrozen
      if isRefused { return nil }
      if current.policy.storage == .requestScope { EndRequirements.expectLateDisposers() }
      guard change(&attributes) else { return nil }
      let changed = current.copy(attributes)
      enableTracking(for: changed)
      let replaced = publishAssumingWriterLockHeld(changed, in: slot)
      changed.takeOverAssumingWriterLockHeld(current)
      return replaced
    }?.retire()
    guard let modifier else { return }
    if isRefused {
      extras.refusedModifiers.note(modifier, of: serial)
    } else {
      extrasIfMade?.refusedModifiers.forget(modifier, of: serial)
    }
  }
}

/// How publishing treats an existing registration of the key, and a missing one.
enum PublicationMode: Sendable {
  /// Follows the policy of the registration, or else the container's.
  case registration
  /// Overrides an existing registration, whatever the policy.
  case replacement
}

/// Whether a publication took place: an existing registration may have been kept, or a required one
/// may be missing. With the replaced registration, if the caller takes it.
typealias Publication = (isDone: Bool, replaced: RegistrationRecord?)

extension DuplicatePolicy {
  /// Whether nothing is published.
  func leaves(_ isPresent: Bool) -> Bool {
    switch self {
    case .override, .refuse, .warn: false
    case .keep: isPresent
    case .require: !isPresent
    }
  }
}
