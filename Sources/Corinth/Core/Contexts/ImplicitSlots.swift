// SPDX-License-Identifier: MIT

/// The keys a container serves without registrations. Made when a key is first served.
// SAFETY: the only subclass has constant, Sendable properties.
class ImplicitSlots: @unchecked Sendable {
  /// A slot that serves the key, whose name outlives the call; `nil` for none.
  ///
  /// - Parameter container: the container that was asked.
  func slotServing(_ key: KeyWords, for container: ContainerCore) -> SlotReference? {
    preconditionFailure("ImplicitSlots.slotServing: must be overridden")
  }
}

extension ContainerCore {
  /// A slot that serves a key without a registration. Looks only here, not in the ancestors.
  func implicitSlot(of key: KeyWords) -> SlotReference? {
    if implicit.isNil { return nil }
    // Without ancestors, avoids the walk.
    if hasParent ? selfAndAncestors.contains(where: \.isClosed) : isClosed { return nil }
    return implicit.load()?.slotServing(key, for: self)
  }
}
