// SPDX-License-Identifier: MIT

/// An override whose instance is built before its publication.
///
/// The new registration builds as usual, but without a slot yet: resolves get the old instance,
/// even in the new factory. Publishing to the slot fails, as the slot holds a different word.
extension ContainerCore {
  /// Builds the instance of `make`'s registration, and then publishes the registration.
  ///
  /// - Parameters:
  ///   - key: a key registered here.
  ///   - location: the location of the new registration.
  ///   - disposesOld: whether the old instances are disposed of before their release.
  ///   - changes: changes to the attributes of the old registration.
  ///   - make: makes a registration with the old registration's attributes.
  nonisolated(nonsending)
    func replace(
      _ key: RegistrationKey, at location: SourceLocation, disposesOld: Bool,
      _ changes: [AttributeChange]?,
      with make: (RegistrationAttributes) -> RegistrationRecord
    ) async throws
  {
    let (slot, record) = try replacement(of: key, at: location, changes, with: make)
    if holdsOneInstance(record) {
      do {
        _ = try await record.resolveBoxAsync(Request(slot, for: self))
      } catch {
        disposeLater(of: record)
        throw error
      }
    }
    let old: RegistrationRecord?
    do { old = try publish(record, .replacement, takingOld: disposesOld).replaced } catch {
      // The container has been closed meanwhile, or the key has been made final.
      try? await dispose(of: record, .none)
      throw error
    }
    if let old { try await dispose(of: old, .none) }
  }

  /// The form for a synchronous factory. The old registration's instances are released.
  func replace(
    _ key: RegistrationKey, at location: SourceLocation, _ changes: [AttributeChange]?,
    with make: (RegistrationAttributes) -> RegistrationRecord
  ) throws {
    let (slot, record) = try replacement(of: key, at: location, changes, with: make)
    if holdsOneInstance(record) {
      _ = try record.box(Request(slot, for: self))
    }
    do { _ = try publish(record, .replacement) } catch {
      drop([record], .removed)
      throw error
    }
  }

  private func replacement(
    of key: RegistrationKey, at location: SourceLocation, _ changes: [AttributeChange]?,
    with make: (RegistrationAttributes) -> RegistrationRecord
  ) throws -> (SlotReference, RegistrationRecord) {
    guard let slot = ownSlot(of: key), let old = slot.registration else {
      throw missing(key, for: .replacing)
    }
    if !old.attributes.isReplaceable {
      throw RegistrationError.alreadyRegistered(
        key: key, existing: old.location, refused: location, policy: .override)
    }
    var attributes = RegistrationAttributes(
      key: key, scope: old.scope, location: location, owner: self)
    attributes.isEager = old.attributes.isEager
    attributes.lifecycle = old.lifecycle
    attributes.disposers = old.disposerList.map { DisposerList($0.all) }
    if let changes { attributes.change(by: changes) }
    attributes.judge()
    if changes != nil, let contradiction = attributes.contradiction { throw contradiction }
    let record = make(attributes)
    record.takePosition(of: old)
    return (slot, record)
  }

  /// Whether a registration itself holds its only instance.
  private func holdsOneInstance(_ record: RegistrationRecord) -> Bool {
    record.policy.storage == .registration && record.policy.box.isStrong
      && record.key.arguments == nil
  }
}
