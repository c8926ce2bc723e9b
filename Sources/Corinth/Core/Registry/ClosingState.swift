// SPDX-License-Identifier: MIT

internal import CCorinth

/// How far the end of one container has come.
///
///     open --seal--> sealed --claim--> closing(owner) --finish--> closed
///                    sealed ----------------end-----------------> closed
///     open ---------------------closeAlone----------------------> closed, alone
///     open ---claimAlone---> closing(owner), alone ----finish---> closed, alone
///     closed, alone ---reopenForClosers---> sealed
///     closing(owner), alone -----admitUsers-----> closing(owner)
///
/// A state in one word. The word of a request scope also has the mark `shared`, in all states, if
/// its cells have a second user. Invariants
///  1. Any number of closers may seal; from then on nothing is registered or resolved. The end of a
///     container with nothing to dispose of needs no owner.
///  2. `claim` moves the word from sealed to closing, by compare-and-exchange: exactly one closer
///     wins, and only the winner disposes of the instances and finishes.
///  3. While closing, the word owns one reference to the closing. The contended bit is set under
///     the mutex of the wait-for graph, and only while closing. A closer that finds the bit set on
///     finishing takes the mutex before it gives the reference up, so a thread may use the closing
///     from setting the bit until unlocking the mutex.
///  4. `closeAlone` and `claimAlone` move the word from open, not shared, to a state with the mark
///     `alone`: no further user of the cells is admitted while the mark is set. An end that turns
///     out to concern others takes the mark away; otherwise the mark stays. Invariant 3 of cells.c.
@safe
// SAFETY: the word belongs to a table that outlives this value; all accesses are atomic.
struct ClosingState: @unchecked Sendable {
  private let registry: UnsafeMutablePointer<corinth_registry>

  init(of registry: UnsafeMutablePointer<corinth_registry>) {
    unsafe self.registry = registry
  }

  private var word: UnsafeMutablePointer<UInt> {
    unsafe corinth_registry_ending(registry).unsafelyUnwrapped
  }

  private static var open: UInt { CORINTH_ENDING_OPEN }
  private static var shared: UInt { CORINTH_ENDING_SHARED }
  /// Beside `closed`, or the address of a closing.
  private static var alone: UInt { CORINTH_ENDING_ALONE }
  private static var sealed: UInt { 1 }
  private static var closed: UInt { 2 }
  /// Beside the address of a closing.
  private static var contended: UInt { 1 }

  @inline(__always)
  private func load() -> UInt { unsafe corinth_word_load(word) }

  /// - Returns: the value found: `expected` after a success.
  @inline(__always)
  private func compareExchange(_ expected: UInt, _ desired: UInt) -> UInt {
    unsafe corinth_word_compare_exchange(word, expected, desired)
  }

  /// Moves the word to a further state, shared if it was.
  ///
  /// - Returns: the state found, without the mark: `expected` after a success.
  private func move(from expected: UInt, to desired: UInt) -> UInt {
    var state = expected
    while true {
      let found = compareExchange(state, desired | state & Self.shared)
      if found == state { return expected }
      if found & ~Self.shared != expected { return found & ~Self.shared }
      state = found
    }
  }

  /// Whether registrations and resolves are still let in.
  @inline(__always)
  var isOpen: Bool { load() & ~Self.shared == Self.open }

  /// Whether the end has come. No address has the bit.
  @inline(__always)
  var isClosed: Bool { load() & Self.closed != 0 }

  /// Keeps registrations and resolves out from now on.
  ///
  /// - Returns: whether the call has done so, as at most one call does.
  func seal() -> Bool {
    // Pairs with the load in `isOpen`: a writer that misses the seal has made the slot before.
    move(from: Self.open, to: Self.sealed) == Self.open
  }

  /// Ends the state of a scope whose cells have no second user, and admits none from now on. The
  /// cache finds no slots of the parent any more.
  ///
  /// - Returns: whether the call has brought the end.
  @inline(__always)
  func closeAlone() -> Bool {
    // Pairs with `isOpen`, as in `seal`.
    unsafe corinth_registry_close_alone(registry, Self.closed | Self.alone)
  }

  /// As ``claim(_:)``, in place of a ``seal()`` before, for a scope as of ``closeAlone()``.
  func claimAlone(_ closing: Unmanaged<some AnyObject>) -> Bool {
    unsafe corinth_registry_close_alone(
      registry, UInt(bitPattern: closing.toOpaque()) | Self.alone)
  }

  /// Whether no further user of the cells is admitted.
  var isAlone: Bool { load() & Self.alone != 0 }

  /// Has closers take the ordinary steps after a ``closeAlone()`` that has found more to do. The
  /// caller seals the cells.
  func reopenForClosers() { unsafe _ = corinth_word_exchange(word, Self.sealed) }

  /// Admits users of the cells again: the closing of ``claimAlone(_:)`` takes the ordinary steps.
  func admitUsers() { unsafe corinth_word_clear(word, Self.alone) }

  /// Ends without a closing, if no closer has claimed one.
  ///
  /// - Returns: whether the call has brought the end.
  func end() -> Bool { move(from: Self.sealed, to: Self.closed) == Self.sealed }

  /// Makes the caller the closer in charge of disposal, unless a caller has claimed before.
  ///
  /// - Parameter closing: with a reference, which the state owns after a success.
  func claim(_ closing: Unmanaged<some AnyObject>) -> Bool {
    // Pairs with the loads of `joinAssumingWaitsLockHeld`.
    unsafe move(from: Self.sealed, to: UInt(bitPattern: closing.toOpaque())) == Self.sealed
  }

  /// Ends the closing claimed by the caller, who then owns the closing's reference.
  ///
  /// - Returns: whether waiters may exist. The caller has to resume them.
  func finish() -> Bool {
    // Pairs with the load of a closer that finds the state closed: disposers have run. The mark
    // stays: a thread that has found a free cell before may ask for admission after the end.
    let former = unsafe corinth_word_exchange(word, Self.closed | load() & Self.alone)
    return former & Self.contended != 0
  }

  /// The closing under way, marked as contended; `nil` for none. The waits mutex is held.
  ///
  /// - Parameter type: the class of all closings, or of one above.
  func joinAssumingWaitsLockHeld<Closing: AnyObject>(_ type: Closing.Type) -> Closing? {
    while true {
      let found = load()
      let state = found & ~Self.shared
      if state == Self.sealed || state == Self.open || state & Self.closed != 0 { return nil }
      if found & Self.contended == 0, compareExchange(found, found | Self.contended) != found {
        continue
      }
      let address = unsafe UnsafeRawPointer(bitPattern: state & ~(Self.contended | Self.alone))
        .unsafelyUnwrapped
      // SAFETY: invariant 3.
      return unsafe Unmanaged<Closing>.fromOpaque(address).takeUnretainedValue()
    }
  }
}
