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
