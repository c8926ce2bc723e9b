// SPDX-License-Identifier: MIT

internal import Synchronization

extension ContainerCore {
  /// Whether changes of the registrations are refused. Pairs with the store below.
  var isFrozen: Bool { frozen.load(ordering: .acquiring) }

  /// With the writer lock held: a writer that found the container thawed ends before.
  func setFrozen(_ isFrozen: Bool) {
    table.withWriterLock { frozen.store(isFrozen, ordering: .releasing) }
  }
}
