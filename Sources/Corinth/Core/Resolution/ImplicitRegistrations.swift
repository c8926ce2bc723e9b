// SPDX-License-Identifier: MIT

/// The types that registrations of a container imply, and what gets registered when it is built.
// SAFETY: all properties are constant and Sendable.
final class ImplicitRegistrations: ImplicitSlots, @unchecked Sendable {
  private let implied = ImpliedForwards()
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
    unwrapping.emptyAtItsEnd()
    pending.emptyAtItsEnd()
  }

  override func slotServing(_ key: KeyWords, for container: ContainerCore) -> SlotReference? {
    if let slot = slotImplied(key, for: container) { return slot }
    return unwrapsOptionals ? slotUnwrapping(RegistrationKey(key.words), in: container) : nil
  }

  override func slotImplied(_ key: KeyWords, for container: ContainerCore) -> SlotReference? {
    var found: (slot: SlotReference, serial: UInt64)?
    var next: ImpliedForwards? = implied
    while let forwards = next, let slot = forwards.table.find(key) {
      if let serial = slot.serialOfImplying(in: container), serial > found?.serial ?? 0 {
        found = (slot, serial)
      }
      next = forwards.next.load()
    }
    return found?.slot
  }

  /// Serves the instances of a registration under another type, as long as the registration implies that.
  func imply<Other>(
    _ other: Other.Type, by target: RegistrationKey, at location: SourceLocation,
    in container: ContainerCore
  ) {
    let key = RegistrationKey(product: other, name: target.name, arguments: target.arguments)
    add(forward(other, key, to: target, at: location, in: container))
  }

  /// Has the registrations of a container, copies of those of another one, imply what those do.
  func takeOverImplied(_ other: ImplicitRegistrations, in container: ContainerCore) {
    var next: ImpliedForwards? = other.implied
    while let forwards = next {
      forwards.table.forEachSlot { slot in
        guard let record = slot.registration else { return }
        var attributes = record.attributes
        unsafe attributes.owner = container
        add(record.copy(attributes))
      }
      next = forwards.next.load()
    }
  }

  private func add(_ record: RegistrationRecord) {
    var forwards = implied
    while !forwards.add(record) { forwards = forwards.following }
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

/// Forwards from implied keys, each to another target of its key than those in the lists before. One that is not in force any
/// more stays, and serves nothing: a fork may see the registration that it leads to.
private final class ImpliedForwards: Sendable {
  let table = SlotTable()
  /// Made when a key has more targets.
  let next = MadeOnce<ImpliedForwards>()

  var following: ImpliedForwards { next.load() ?? next.storeIfNil(ImpliedForwards()) }

  /// Adds a forward, if its key has none or this one.
  ///
  /// - Returns: whether it is there now.
  func add(_ record: RegistrationRecord) -> Bool {
    let slot = table.slotMade(for: record.key)
    table.withWriterLock {
      if slot.load().isAbsent { _ = slot.publishAssumingWriterLockHeld(record) }
    }
    return slot.registration?.forwardedKey == record.forwardedKey
  }

  deinit { table.emptyAtItsEnd() }
}

extension SlotTable {
  fileprivate func emptyAtItsEnd() {
    forEachSlot { slot in
      if let removed = slot.clearAssumingWriterLockHeld() { removed.retire() }
    }
  }
}

extension SlotReference {
  /// The number of the registration that this slot forwards to, if that is there and implies this slot's type.
  fileprivate func serialOfImplying(in container: ContainerCore) -> UInt64? {
    guard let target = registration?.forwardedKey else { return nil }
    let product = ObjectIdentifier(key.product)
    let serial = container.ownSlot(of: target)?
      .withRegistration { $0.attributes.implied.contains(product) ? $0.serial : nil }
    return serial ?? nil
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
