// SPDX-License-Identifier: MIT

internal import Synchronization

/// Whether changes of the registrations of one container are refused.
///
/// Changed with the container's writer lock held, so that a writer which finds it thawed has finished before the
/// container is frozen.
struct Freezing: ~Copyable, Sendable {
  private let word = Atomic<Bool>(false)

  /// Pairs with the store of ``setAssumingWriterLockHeld(_:)``.
  var isFrozen: Bool { word.load(ordering: .acquiring) }

  func setAssumingWriterLockHeld(_ isFrozen: Bool) {
    word.store(isFrozen, ordering: .releasing)
  }
}

extension ContainerCore {
  /// Whether changes of the registrations are refused.
  var isFrozen: Bool { freezing.isFrozen }

  func setFrozen(_ isFrozen: Bool) {
    table.withWriterLock { freezing.setAssumingWriterLockHeld(isFrozen) }
  }
}
