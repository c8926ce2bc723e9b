// SPDX-License-Identifier: MIT

/// The types served by optionals.
// SAFETY: all properties are constant and Sendable.
final class ImplicitRegistrations: ImplicitSlots, @unchecked Sendable {
  /// Forwards from types to their optionals, made when a forward first serves.
  private let unwrapping = SlotTable()
  /// Whether a registration of an optional type serves the wrapped type.
  let unwrapsOptionals: Bool

  private init(unwrapsOptionals: Bool) {
    self.unwrapsOptionals = unwrapsOptionals
  }

  /// The implicit registrations of a container, made on first use. Takes the writer lock.
  ///
  /// - Parameter unwrapsOptionals: given by the container's initializer only.
  static func of(
    _ core: ContainerCore, unwrappingOptionals unwrapsOptionals: Bool = false
  ) -> ImplicitRegistrations {
    if let found = existing(in: core) { return found }
    let made = ImplicitRegistrations(unwrapsOptionals: unwrapsOptionals)
    return core.table.withWriterLock {
      if let found = existing(in: core) { return found }
      core.implicit.store(made)
      return made
    }
  }

  static func existing(in core: ContainerCore) -> ImplicitRegistrations? {
    // SAFETY: only the function above stores any.
    core.implicit.load().map { unsafe unsafeDowncast($0, to: ImplicitRegistrations.self) }
  }

  deinit {
    unwrapping.forEachSlot { slot in
      if let removed = slot.clearAssumingWriterLockHeld() { removed.retire() }
    }
  }

  override func slotServing(_ key: KeyWords, for container: ContainerCore) -> SlotReference? {
    unwrapsOptionals ? slotUnwrapping(RegistrationKey(key.words), in: container) : nil
  }

  /// The slot that serves a type by the type's optional, if registered.
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
      let attributes = RegistrationAttributes(
        key: key, scope: .transient, location: location, owner: container)
      return ForwardRecord<Product>(attributes, to: target)
    }
    if slot.load().isAbsent {
      let record = _openExistential(key.product, do: make)
      unwrapping.withWriterLock {
        slot.load().isAbsent ? slot.publishAssumingWriterLockHeld(record) : nil
      }?.retire()
    }
    return slot
  }
}
