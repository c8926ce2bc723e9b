// SPDX-License-Identifier: MIT

/// What a container serves under keys that nothing is registered under. Made when there is first something to serve.
// SAFETY: the only subclass has Sendable properties, which are constant.
class ImplicitSlots: @unchecked Sendable {
  /// A slot that serves the key, whose name outlives the call; `nil` if there is none.
  ///
  /// - Parameter container: the container that was asked.
  func slotServing(_ key: KeyWords, for container: ContainerCore) -> SlotReference? {
    preconditionFailure("ImplicitSlots.slotServing: must be overridden")
  }
}

extension ContainerCore {
  /// A slot that serves a key which nothing is registered under. Looked for here only, not in the ancestors.
  func implicitSlot(of key: KeyWords) -> SlotReference? {
    if implicit.isNil { return nil }
    // Without the walk where there is nothing to walk to.
    if hasParent ? selfAndAncestors.contains(where: \.isClosed) : isClosed { return nil }
    return implicit.load()?.slotServing(key, for: self)
  }
}
