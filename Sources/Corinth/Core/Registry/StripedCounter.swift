// SPDX-License-Identifier: MIT

internal import CCorinth
internal import Synchronization

/// Counts what has begun and not ended, on any threads, without a write to memory that they share.
///
/// Each thread has a cache line of its own, which takes no memory before its first use. Reading adds all of them up.
@safe
// SAFETY: the pointer is owned by this value, freed in its deinit, and thread-safe by the contract of
// corinth_counter.h.
struct StripedCounter: ~Copyable, @unchecked Sendable {
  private let pointer = unsafe Atomic<UnsafeMutablePointer<corinth_counter>?>(nil)

  /// Counts something that begins. Ends with the light half of a barrier, see ``passBarrier()``.
  @inline(__always)
  func begin() {
    // Pairs with the release half of the exchange in `make`.
    unsafe corinth_counter_begin(pointer.load(ordering: .acquiring) ?? make())
  }

  /// Counts the end of something that has been counted before. Ends as ``begin()``.
  @inline(__always)
  func end() {
    // It has been made by the beginning.
    guard let counter = unsafe pointer.load(ordering: .acquiring) else { return }
    unsafe corinth_counter_end(counter)
  }

  /// How much has begun and not ended. In the child of a fork, what has begun there.
  ///
  /// A thread that has stored something, passes the barrier, and then reads this, sees each ``begin()`` and
  /// ``end()`` on another thread: it is counted here, or that thread loads what was stored, if it does so
  /// afterwards.
  var unfinished: Int {
    guard let counter = unsafe pointer.load(ordering: .acquiring) else { return 0 }
    return Int(truncatingIfNeeded: unsafe corinth_counter_unfinished(counter))
  }

  // MARK: - Holds

  /// Begins a hold on what this belongs to, which the caller keeps alive meanwhile.
  ///
  /// - Returns: `false` once this is closed.
  @inline(__always)
  func hold() -> Bool {
    // Pairs with the release half of the exchange in `make`.
    unsafe corinth_counter_hold(pointer.load(ordering: .acquiring) ?? make())
  }

  /// Ends a hold. What this belongs to may be gone afterwards.
  ///
  /// - Returns: whether this was the last one after ``endClosing()``: the caller releases what it belongs to.
  @inline(__always)
  func letGo() -> Bool {
    // It has been made by the beginning.
    guard let counter = unsafe pointer.load(ordering: .acquiring) else { return false }
    return unsafe corinth_counter_let_go(counter)
  }

  /// Whether there may have been holds. Only for a caller that nobody begins one beside.
  @inline(__always)
  var mayBeHeld: Bool { unsafe pointer.load(ordering: .acquiring) != nil }

  /// Lets no more holds begin. Only for a caller that nobody begins one beside.
  ///
  /// - Returns: whether there are some, before ``endClosing()``; `false` afterwards.
  func close() -> Bool {
    guard let counter = unsafe pointer.load(ordering: .acquiring) else { return false }
    return unsafe corinth_counter_close(counter) > 0
  }

  /// Has the last hold told that it is.
  ///
  /// - Returns: whether they have all ended: the caller is the last.
  func endClosing() -> Bool {
    guard let counter = unsafe pointer.load(ordering: .acquiring) else { return true }
    return unsafe corinth_counter_end_closing(counter)
  }

  // MARK: - Barriers

  /// The heavy half of the barrier. A system call, of some microseconds beside running threads.
  static func passBarrier() {
    corinth_barrier_heavy()
  }

  @inline(never)
  private func make() -> UnsafeMutablePointer<corinth_counter> {
    // Never NULL: traps when out of memory.
    let made = unsafe corinth_counter_create().unsafelyUnwrapped
    // Pairs with the acquiring loads.
    let (isFirst, first) = unsafe pointer.compareExchange(
      expected: nil, desired: made, ordering: .acquiringAndReleasing)
    if isFirst { return unsafe made }
    unsafe corinth_counter_destroy(made)
    return unsafe first.unsafelyUnwrapped
  }

  deinit {
    guard let counter = unsafe pointer.load(ordering: .acquiring) else { return }
    unsafe corinth_counter_destroy(counter)
  }
}

/// A few sums that many threads add to, without a write to memory that they share. Reading adds up the threads'.
@safe
// SAFETY: the pointer is owned by this value, freed in its deinit, and thread-safe by the contract of
// corinth_counter.h.
struct StripedTally: ~Copyable, @unchecked Sendable {
  private let pointer: UnsafeMutablePointer<corinth_counter>

  init() {
    // Never NULL: traps when out of memory.
    unsafe pointer = corinth_counter_create().unsafelyUnwrapped
  }

  deinit {
    unsafe corinth_counter_destroy(pointer)
  }

  /// Adds to a sum.
  ///
  /// - Parameter sum: its number, less than 6.
  func add(_ amount: UInt64, to sum: Int) {
    precondition(sum < CORINTH_TALLIES, "StripedTally.add: there are \(CORINTH_TALLIES) sums")
    unsafe corinth_counter_tally(pointer, UInt32(sum), amount)
  }

  /// A sum: what was added before the call, and maybe some of what is being added.
  func sum(_ sum: Int) -> UInt64 {
    precondition(sum < CORINTH_TALLIES, "StripedTally.sum: there are \(CORINTH_TALLIES) sums")
    return unsafe corinth_counter_tallied(pointer, UInt32(sum))
  }
}
