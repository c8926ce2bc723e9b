// SPDX-License-Identifier: MIT

/// The disposers of a registration, in the order in which they were added. One list for all its forms: those that its
/// modifiers have published, those that forks have taken over, and those that serve no resolve any more.
///
/// Grows at its end, and is read without a lock: an instance knows the disposers that were added after it was built.
final class DisposerList: Sendable {
  private let disposers: [Disposer]
  private let longer = MadeOnce<DisposerList>()

  init(_ disposers: [Disposer] = []) {
    self.disposers = disposers
  }

  deinit { HeldLocks.assertNone(DisposerList.self) }

  var isEmpty: Bool { disposers.isEmpty && longer.isNil }

  /// All disposers that there are by now.
  var all: [Disposer] { last.disposers }

  /// Adds a disposer. The writer lock of the registration's owner is held.
  func addAssumingWriterLockHeld(_ disposer: Disposer) {
    let last = last
    _ = last.longer.storeIfNil(DisposerList(last.disposers + [disposer]))
  }

  private var last: DisposerList {
    var last = self
    while let longer = last.longer.load() { last = longer }
    return last
  }
}
