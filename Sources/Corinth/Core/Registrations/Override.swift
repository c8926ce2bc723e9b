// SPDX-License-Identifier: MIT

/// The overrides of a container that may be undone. The container's writer lock is held.
extension ContainerExtras {
  /// The override that can be undone, of the registration with a serial number.
  fileprivate func override(of serial: UInt64) -> Overriding? {
    overrides.first { $0.former?.serial == serial }
  }

  /// Ends an override.
  ///
  /// - Returns: the overridden registration; `nil` after an earlier call.
  func endAssumingWriterLockHeld(_ overriding: Overriding) -> RegistrationRecord? {
    overrides.removeAll { $0 === overriding }
    return overriding.former.take()
  }

  /// Has overridden registrations of a product come back without an instance when restored.
  ///
  /// - Returns: the registrations kept until now, to be released by the caller with no lock held.
  func renewOverriddenAssumingWriterLockHeld(
    _ product: any Any.Type
  ) -> [RegistrationRecord] {
    var renewed: [RegistrationRecord] = []
    for overriding in overrides where overriding.key.product == product {
      guard let former = overriding.former else { continue }
      renewed.append(former)
      overriding.former = former.copy(former.attributesToCopy)
    }
    return renewed
  }
}

/// An override that can be undone, and becomes permanent with the last reference to the object.
final class Override: Sendable {
  private let registry: ContainerCore
  private let overriding: Overriding

  init(_ overriding: Overriding, in registry: ContainerCore) {
    self.overriding = overriding
    self.registry = registry
  }

  /// Makes the override permanent, and releases the instances of the overridden registration.
  deinit {
    let former = registry.table.withWriterLock {
      registry.extras.endAssumingWriterLockHeld(overriding)
    }
    if let former { registry.drop([former], .overridden) }
  }

  /// Undoes the override. If the override was overridden meanwhile, the end of the later override
  /// restores the registration from before both.
  ///
  /// - Returns: whether the override was in effect.
  func restore() -> Bool {
    guard let slot = registry.table.find(overriding.key) else { return false }
    let extras = registry.extras
    var isDone = false
    // Released after the lock: the deinits of instances are user code.
    var dropped: RegistrationRecord?
    let replaced = registry.table.withWriterLock { () -> RetiredRegistration? in
      if registry.isFrozen || registry.isClosed { return nil }
      let current = slot.withRegistrationAssumingWriterLockHeld { $0.serial }
      let above = extras.override(of: overriding.serial)
      var top = above
      while let next = top.flatMap({ extras.override(of: $0.serial) }) { top = next }
      // A different registration has been made meanwhile, or the slot is empty.
      if current == nil || current != (top ?? overriding).serial { return nil }
      guard let former = extras.endAssumingWriterLockHeld(overriding) else { return nil }
      isDone = true
      guard let above else { return registry.publishAssumingWriterLockHeld(former, in: slot) }
      dropped = above.former
      above.former = former
      return nil
    }
    if let replaced { registry.drop(replaced, .removed) }
    if let dropped { registry.drop([dropped], .removed) }
    return isDone
  }
}
