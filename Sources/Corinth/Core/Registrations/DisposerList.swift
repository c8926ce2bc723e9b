// SPDX-License-Identifier: MIT

internal import Synchronization

/// The disposers of a registration, in the order in which they were added. One list for all its forms: those that its
/// modifiers have published, those that forks have taken over, and those that serve no resolve any more.
///
/// Grows at its end, and is read without a lock: an instance knows the disposers that were added after it was built.
@safe
// SAFETY: constant, Sendable or atomic.
final class DisposerList: @unchecked Sendable {
  /// `nil` only at the start of a list that was made without any.
  // SAFETY: a reference of this list's own. Each closing asks, and must not count another one.
  private let owned: Unmanaged<Disposer>?
  /// Whether that is asynchronous.
  private let isAsynchronous: Bool
  /// Those that were added after this one.
  private let later = MadeOnce<DisposerList>()

  private init(_ disposer: Disposer?) {
    unsafe owned = disposer.map { unsafe Unmanaged.passRetained($0) }
    isAsynchronous = disposer?.isAsynchronous ?? false
  }

  convenience init(_ disposers: [Disposer] = []) {
    self.init(disposers.first)
    var last = self
    for disposer in disposers.dropFirst() { last = last.later.storeIfNil(DisposerList(disposer)) }
  }

  deinit {
    HeldLocks.assertNone(DisposerList.self)
    unsafe owned?.release()
    later.releaseChain { $0.later.takeUnshared() }
  }

  var isEmpty: Bool { unsafe owned == nil && later.isNil }

  private var lists: some Sequence<DisposerList> { sequence(first: self) { $0.later.load() } }

  /// All disposers that there are by now.
  var all: [Disposer] { lists.compactMap { unsafe $0.owned?.takeUnretainedValue() } }

  /// The only one, at +0: alive as long as this; `nil` if there is none, or are several.
  var unretainedSole: Unmanaged<Disposer>? {
    guard let next = unsafe later.unretained else { return unsafe owned }
    // As a modifier makes it.
    return unsafe owned == nil ? next._withUnsafeGuaranteedRef { unsafe $0.unretainedSole } : nil
  }

  /// Whether a disposer that there is by now is asynchronous.
  var hasAsynchronous: Bool {
    var next = unsafe Optional(Unmanaged.passUnretained(self))
    while let list = unsafe next {
      if unsafe list._withUnsafeGuaranteedRef({ $0.isAsynchronous }) { return true }
      unsafe next = list._withUnsafeGuaranteedRef { unsafe $0.later.unretained }
    }
    return false
  }

  private static let mayHaveLateAsynchronous = Atomic<Bool>(false)

  /// Whether there may be instances whose registration has got an asynchronous disposer since they were asked for.
  static var expectsLateAsynchronous: Bool { mayHaveLateAsynchronous.load(ordering: .relaxed) }

  /// Adds a disposer. The writer lock of the registration's owner is held.
  func addAssumingWriterLockHeld(_ disposer: Disposer) {
    if disposer.isAsynchronous { Self.mayHaveLateAsynchronous.store(true, ordering: .relaxed) }
    var last = self
    while let next = last.later.load() { last = next }
    _ = last.later.storeIfNil(DisposerList(disposer))
  }
}
