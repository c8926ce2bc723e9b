// SPDX-License-Identifier: MIT

internal import Synchronization

/// How far the end of one container has come.
///
///     open --seal--> sealed --claim--> closing(owner) --finish--> closed
///                    sealed ----------------end-----------------> closed
///
/// A state in one word. Invariants
///  1. Any number of closers may seal; from then on nothing is registered or resolved. The end of a
///     container with nothing to dispose of needs no owner.
///  2. `claim` moves the word from sealed to closing, by compare-and-exchange: exactly one closer
///     wins, and only the winner disposes of the instances and finishes.
///  3. While closing, the word owns one reference to the closing. The contended bit is set under
///     the mutex of the wait-for graph, and only while closing. A closer that finds the bit set on
///     finishing takes the mutex before it gives the reference up, so a thread may use the closing
///     from setting the bit until unlocking the mutex.
struct ClosingState: ~Copyable, Sendable {
  /// The phase that a closer finds.
  enum Former {
    case open
    /// A different closer has sealed, and the end has not come.
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

  /// Opens a closed state again, for an owner without sharers.
  func reopen() { word.store(Self.open, ordering: .relaxed) }

  /// Keeps registrations and resolves out from now on.
  ///
  /// - Returns: the phase before. At most one caller finds the state open.
  func seal() -> Former {
    // Pairs with the load in `isOpen`: a writer that misses the seal has made the slot before.
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
  /// - Returns: whether the call has brought the end.
  func end() -> Bool {
    word.compareExchange(
      expected: Self.sealed, desired: Self.closed, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Makes the caller the closer in charge of disposal, unless a caller has claimed before.
  ///
  /// - Parameter closing: the call consumes the reference: kept by the state, or released.
  func claim(_ closing: Unmanaged<some AnyObject>) -> Bool {
    let desired = unsafe UInt(bitPattern: closing.toOpaque())
    // Pairs with the acquiring loads of `joinAssumingWaitsLockHeld`.
    let (isClaimed, _) = word.compareExchange(
      expected: Self.sealed, desired: desired, ordering: .acquiringAndReleasing)
    if !isClaimed { unsafe closing.release() }
    return isClaimed
  }

  /// Ends the closing claimed by the caller, who then owns the closing's reference.
  ///
  /// - Returns: whether waiters may exist. The caller has to resume them.
  func finish() -> Bool {
    // Pairs with the acquiring load of a closer that finds the state closed: disposers have run.
    let former = word.exchange(Self.closed, ordering: .acquiringAndReleasing)
    return former & Self.contended != 0
  }

  /// The closing under way, marked as contended; `nil` for none. The waits mutex is held.
  ///
  /// - Parameter type: the class of all closings, or of one above.
  func joinAssumingWaitsLockHeld<Closing: AnyObject>(_ type: Closing.Type) -> Closing? {
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
      return unsafe Unmanaged<Closing>.fromOpaque(address).takeUnretainedValue()
    }
  }
}
