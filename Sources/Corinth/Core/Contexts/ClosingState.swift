// SPDX-License-Identifier: MIT

internal import Synchronization

/// How far the end of one container has come.
///
///     open --seal--> sealed --claim--> closing(owner) --finish--> closed
///                    sealed ----------------end-----------------> closed
///
/// One word. Invariants
///  1. Any number of closers may seal; from then on nothing is registered or resolved. The end of a container
///     with nothing to dispose of needs no owner.
///  2. `claim` moves the word from sealed to closing, by compare-and-exchange: exactly one closer wins, and
///     that closer alone disposes of the instances and finishes.
///  3. While closing, the word owns one reference to the closing. The contended bit is set under the mutex of
///     the wait-for graph and only while closing. A closer that finds it set when it finishes takes that
///     mutex before it gives the reference up, so the thread that has set it may use the closing until the
///     mutex is given up.
struct ClosingState: ~Copyable, Sendable {
  /// The phase that a closer finds.
  enum Former {
    case open
    /// Another closer has sealed, and the end has not come.
    case sealed
    case closed
  }

  private let word = Atomic<UInt>(Self.open)

  private static var open: UInt { 0 }
  private static var sealed: UInt { 1 }
  private static var closed: UInt { 2 }
  /// Beside the address of a closing.
  private static var contended: UInt { 1 }

  /// Whether registrations and resolves are still let in.
  var isOpen: Bool { word.load(ordering: .sequentiallyConsistent) == Self.open }

  var isClosed: Bool { word.load(ordering: .relaxed) == Self.closed }

  /// Makes one that nobody else uses open again.
  func reopen() { word.store(Self.open, ordering: .relaxed) }

  /// Keeps registrations and resolves out from now on.
  ///
  /// - Returns: what was before. One caller at most finds it open.
  func seal() -> Former {
    // Pairs with the load in `isOpen`: a writer that does not see it has made its slot before.
    let (_, found) = word.compareExchange(
      expected: Self.open, desired: Self.sealed, ordering: .sequentiallyConsistent)
    switch found {
    case Self.open: return .open
    case Self.closed: return .closed
    default: return .sealed
    }
  }

  /// Ends without a closing, if no closer has claimed one.
  ///
  /// - Returns: whether this call has brought the end.
  func end() -> Bool {
    word.compareExchange(
      expected: Self.sealed, desired: Self.closed, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Makes the caller the one that disposes, if no other caller is or was.
  ///
  /// - Parameter closing: its reference is given up, to the state or at once.
  func claim(_ closing: Unmanaged<some AnyObject>) -> Bool {
    let desired = unsafe UInt(bitPattern: closing.toOpaque())
    // Pairs with the acquiring loads of `joinAssumingWaitsLockHeld`.
    let (isClaimed, _) = word.compareExchange(
      expected: Self.sealed, desired: desired, ordering: .acquiringAndReleasing)
    if !isClaimed { unsafe closing.release() }
    return isClaimed
  }

  /// Ends the closing that the caller has claimed, and then has its reference.
  ///
  /// - Returns: whether others may wait for it. The caller has to let these go on.
  func finish() -> Bool {
    // Pairs with the acquiring load of a closer that finds it closed: the disposers have run.
    let former = word.exchange(Self.closed, ordering: .acquiringAndReleasing)
    return former & Self.contended != 0
  }

  /// The closing under way, which learns that it is contended; `nil` if there is none. The mutex of the wait-for graph is held.
  func joinAssumingWaitsLockHeld() -> AnyObject? {
    while true {
      let found = word.load(ordering: .acquiring)
      if [Self.open, Self.sealed, Self.closed].contains(found) { return nil }
      if found & Self.contended == 0 {
        let (isMarked, _) = word.compareExchange(
          expected: found, desired: found | Self.contended, ordering: .acquiringAndReleasing)
        guard isMarked else { continue }
      }
      let address = unsafe UnsafeRawPointer(bitPattern: found & ~Self.contended).unsafelyUnwrapped
      // SAFETY: invariant 3.
      return unsafe Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
    }
  }
}
