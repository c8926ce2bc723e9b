// SPDX-License-Identifier: MIT

internal import Synchronization

/// The disposers of a registration, in the order of addition. One list for all forms of the
/// registration: published by modifiers, adopted by forks, or already replaced. The list grows at
/// its end, and is read without a lock: an instance gets disposers added after its construction.
@safe
// SAFETY: constant, Sendable or atomic.
final class DisposerList: @unchecked Sendable {
  /// `nil` only at the start of a list made without disposers.
  // SAFETY: the list owns the reference. Every closing reads it, and must not count references.
  private let owned: Unmanaged<Disposer>?
  /// Whether `owned` is asynchronous.
  private let isAsynchronous: Bool
  /// The rest of the list: disposers added later.
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
    // An empty list, the loser of a race to make one, may end anywhere: no user code hangs on it.
    if !isEmpty { HeldLocks.assertNone(DisposerList.self) }
    unsafe owned?.release()
    later.releaseChain { $0.later.takeUnshared() }
  }

  var isEmpty: Bool { unsafe owned == nil && later.isNil }

  private var lists: some Sequence<DisposerList> { sequence(first: self) { $0.later.load() } }

  /// All disposers added by now.
  var all: [Disposer] { lists.compactMap { unsafe $0.owned?.takeUnretainedValue() } }

  /// The only disposer, at +0, alive as long as the list; `nil` for none, or for several.
  var unretainedSole: Unmanaged<Disposer>? {
    guard let next = unsafe later.unretained else { return unsafe owned }
    // A modifier makes a list with an empty start.
    return unsafe owned == nil ? next._withUnsafeGuaranteedRef { unsafe $0.unretainedSole } : nil
  }

  /// Whether any disposer added by now is asynchronous.
  var hasAsynchronous: Bool {
    var next = unsafe Optional(Unmanaged.passUnretained(self))
    while let list = unsafe next {
      if unsafe list._withUnsafeGuaranteedRef({ $0.isAsynchronous }) { return true }
      unsafe next = list._withUnsafeGuaranteedRef { unsafe $0.later.unretained }
    }
    return false
  }

  private static let mayHaveLateAsynchronous = Atomic<Bool>(false)

  /// Whether a registration may have got an asynchronous disposer after instances were asked for.
  static var expectsLateAsynchronous: Bool { mayHaveLateAsynchronous.load(ordering: .relaxed) }

  /// Adds a disposer. The writer lock of the registration's owner is held.
  func addAssumingWriterLockHeld(_ disposer: Disposer) {
    if disposer.isAsynchronous { Self.mayHaveLateAsynchronous.store(true, ordering: .relaxed) }
    var last = self
    while let next = last.later.load() { last = next }
    _ = last.later.storeIfNil(DisposerList(disposer))
  }
}
