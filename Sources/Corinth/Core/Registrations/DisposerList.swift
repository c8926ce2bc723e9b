// SPDX-License-Identifier: MIT

/// The disposers of a registration, in the order in which they were added. One list for all its forms: those that its
/// modifiers have published, those that forks have taken over, and those that serve no resolve any more.
///
/// Grows at its end, and is read without a lock: an instance knows the disposers that were added after it was built.
final class DisposerList: Sendable {
  private let disposers: [Disposer]
  /// Whether one of these is asynchronous.
  private let isAsynchronous: Bool
  /// Those that were added after these.
  private let later = MadeOnce<DisposerList>()

  init(_ disposers: [Disposer] = []) {
    self.disposers = disposers
    isAsynchronous = disposers.contains(where: \.isAsynchronous)
  }

  deinit {
    // An empty one ends where two threads make one at once; nothing of the user's hangs on it.
    if !isEmpty { HeldLocks.assertNone(DisposerList.self) }
    later.releaseChain { $0.later.takeUnshared() }
  }

  var isEmpty: Bool { disposers.isEmpty && later.isNil }

  /// All disposers that there are by now. Makes no array if they have come together, as most do.
  var all: [Disposer] {
    guard let next = later.load() else { return disposers }
    // As a modifier makes it.
    if disposers.isEmpty, next.later.isNil { return next.disposers }
    var (all, last) = (disposers, self)
    while let next = last.later.load() {
      if all.isEmpty { all = next.disposers } else { all += next.disposers }
      last = next
    }
    return all
  }

  /// Whether a disposer that there is by now is asynchronous.
  var hasAsynchronous: Bool {
    if isAsynchronous { return true }
    var next = later.load()
    while let list = next {
      if list.isAsynchronous { return true }
      next = list.later.load()
    }
    return false
  }

  /// Adds a disposer. The writer lock of the registration's owner is held.
  func addAssumingWriterLockHeld(_ disposer: Disposer) {
    var last = self
    while let next = last.later.load() { last = next }
    _ = last.later.storeIfNil(DisposerList([disposer]))
  }
}
