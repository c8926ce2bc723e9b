// SPDX-License-Identifier: MIT

/// The types that registrations of a container imply, and what gets registered when it is built.
// SAFETY: all properties are constant and Sendable.
final class ImplicitRegistrations: ImplicitSlots, @unchecked Sendable {
  /// Forwards from implied keys. One that is not in force any more stays, and serves nothing.
  private let implied = SlotTable()
  /// Forwards from types to their optionals; each made when it first serves.
  private let unwrapping = SlotTable()
  /// Registrations whose first instance is being built, by a caller who brings the way to do it.
  let pending = SlotTable()
  /// Whether a registration of an optional type serves the type that it wraps.
  let unwrapsOptionals: Bool

  init(unwrapsOptionals: Bool) {
    self.unwrapsOptionals = unwrapsOptionals
  }

  deinit {
    Self.empty(implied)
    Self.empty(unwrapping)
    Self.empty(pending)
  }

  private static func empty(_ table: borrowing SlotTable) {
    table.forEachSlot { slot in
      if let removed = slot.clearAssumingWriterLockHeld() { removed.retire() }
    }
  }

  override func slotServing(_ key: KeyWords, for container: ContainerCore) -> SlotReference? {
    if let slot = slotImplied(key, for: container) { return slot }
    return unwrapsOptionals ? slotUnwrapping(RegistrationKey(key.words), in: container) : nil
  }

  override func slotImplied(_ key: KeyWords, for container: ContainerCore) -> SlotReference? {
    guard let slot = implied.find(key), slot.isImplied(in: container) else { return nil }
    return slot
  }

  /// Serves the instances of a registration under another type, as long as the registration implies that.
  func imply<Other>(
    _ other: Other.Type, by target: RegistrationKey, at location: SourceLocation,
    in container: ContainerCore
  ) {
    let key = RegistrationKey(product: other, name: target.name, arguments: target.arguments)
    let slot = implied.slotMade(for: key)
    if slot.registration?.forwardedKey == target { return }
    let record = forward(other, key, to: target, at: location, in: container)
    implied.withWriterLock { slot.publishAssumingWriterLockHeld(record) }?.retire()
  }

  /// Has the registrations of a container, copies of those of another one, imply what those do.
  func takeOverImplied(_ other: ImplicitRegistrations, in container: ContainerCore) {
    other.implied.forEachSlot { slot in
      guard let record = slot.registration else { return }
      var attributes = record.attributes
      unsafe attributes.owner = container
      let (own, copy) = (implied.slotMade(for: record.key), record.copy(attributes))
      implied.withWriterLock { own.publishAssumingWriterLockHeld(copy) }?.retire()
    }
  }

  /// The slot that serves a type by its optional, if that is registered.
  private func slotUnwrapping(
    _ key: RegistrationKey, in container: ContainerCore
  ) -> SlotReference? {
    let target = RegistrationKey(
      product: optional(of: key.product), name: key.name, arguments: key.arguments)
    let location = withExtendedLifetime(target) {
      container.explicitSlot(of: KeyWords(target))?.withRegistration(\.location) ?? nil
    }
    guard let location else { return nil }
    let slot = unwrapping.slotMade(for: key)
    func make<Product>(_ product: Product.Type) -> RegistrationRecord {
      forward(product, key, to: target, at: location, in: container)
    }
    if slot.load().isAbsent {
      let record = _openExistential(key.product, do: make)
      unwrapping.withWriterLock {
        slot.load().isAbsent ? slot.publishAssumingWriterLockHeld(record) : nil
      }?.retire()
    }
    return slot
  }

  private func forward<Product>(
    _ product: Product.Type, _ key: RegistrationKey, to target: RegistrationKey,
    at location: SourceLocation, in container: ContainerCore
  ) -> RegistrationRecord {
    let attributes = RegistrationAttributes(
      key: key, scope: .transient, isOverridable: true, location: location, owner: container)
    return ForwardRecord<Product>(attributes, to: target)
  }
}

extension SlotReference {
  /// Whether the registration that this slot forwards to is there and implies this slot's type.
  fileprivate func isImplied(in container: ContainerCore) -> Bool {
    guard let target = registration?.forwardedKey else { return false }
    let product = ObjectIdentifier(key.product)
    let isImplied = container.ownSlot(of: target)?
      .withRegistration { $0.attributes.implied.contains(product) }
    return isImplied ?? false
  }
}

extension ContainerCore {
  /// The implicit registrations, made on first use. Takes the writer lock.
  ///
  /// - Parameter unwrapsOptionals: given by the container's initialiser only.
  func implicitRegistrations(unwrappingOptionals unwrapsOptionals: Bool = false)
    -> ImplicitRegistrations
  {
    if let found = existingImplicitRegistrations { return found }
    let made = ImplicitRegistrations(unwrapsOptionals: unwrapsOptionals)
    return table.withWriterLock {
      if let found = existingImplicitRegistrations { return found }
      implicit.store(made)
      return made
    }
  }

  /// Takes over the settings of its parent that children inherit.
  func inheritSettings(of parent: ContainerCore) {
    guard parent.existingImplicitRegistrations?.unwrapsOptionals ?? false else { return }
    _ = implicitRegistrations(unwrappingOptionals: true)
  }

  var existingImplicitRegistrations: ImplicitRegistrations? {
    // SAFETY: only the function above stores any.
    implicit.load().map { unsafe unsafeDowncast($0, to: ImplicitRegistrations.self) }
  }
}
