// SPDX-License-Identifier: MIT

internal import CCorinth
internal import Synchronization

/// Counts what has begun and not ended, on any threads, without a write to shared memory.
///
/// A thread has its own cache line, which takes no memory before the first use. Reading sums up.
@safe
// SAFETY: the counter owns the pointer and frees it in the deinit; thread-safe by the contract of
// corinth_counter.h.
struct StripedCounter: ~Copyable, @unchecked Sendable {
  private let pointer = unsafe Atomic<UnsafeMutablePointer<corinth_counter>?>(nil)

  /// Counts a beginning. Ends with the light half of a barrier, see ``passBarrier()``.
  @inline(__always)
  func begin() {
    // Pairs, like every load of the pointer, with the release half of the exchange in `make`.
    unsafe corinth_counter_begin(pointer.load(ordering: .acquiring) ?? make())
  }

  /// Counts the end of work counted before. Ends as ``begin()`` does.
  @inline(__always)
  func end() {
    // The beginning has made the counter. Pairs with the exchange in `make`.
    guard let counter = unsafe pointer.load(ordering: .acquiring) else { return }
    unsafe corinth_counter_end(counter)
  }

  /// How much has begun and not ended. In the child of a fork, only work of the child counts.
  ///
  /// A thread that stores, passes the barrier, and then reads `unfinished`, covers every
  /// ``begin()`` and ``end()`` on another thread: either the count includes the call, or that
  /// thread's later loads see the store.
  var unfinished: Int {
    guard let counter = unsafe pointer.load(ordering: .acquiring) else { return 0 }
    return Int(truncatingIfNeeded: unsafe corinth_counter_unfinished(counter))
  }

  // MARK: - Holds

  /// Begins a hold on the counter's owner, which the caller keeps alive meanwhile.
  ///
  /// - Returns: `false` once closed.
  @inline(__always)
  func hold() -> Bool {
    // Pairs, like every load of the pointer, with the release half of the exchange in `make`.
    unsafe corinth_counter_hold(pointer.load(ordering: .acquiring) ?? make())
  }

  /// Ends a hold. The counter's owner may be gone afterwards.
  ///
  /// - Returns: whether the hold was the last after ``endClosing()``: then release the owner.
  @inline(__always)
  func letGo() -> Bool {
    // The beginning has made the counter. Pairs with the exchange in `make`.
    guard let counter = unsafe pointer.load(ordering: .acquiring) else { return false }
    return unsafe corinth_counter_let_go(counter)
  }

  /// Whether holds may exist. Only for a caller without concurrent beginnings of holds.
  @inline(__always)
  var mayBeHeld: Bool { unsafe pointer.load(ordering: .acquiring) != nil }

  /// Refuses further holds. Only for a caller without concurrent beginnings of holds.
  ///
  /// - Returns: whether holds exist, before ``endClosing()``; `false` afterwards.
  func close() -> Bool {
    guard let counter = unsafe pointer.load(ordering: .acquiring) else { return false }
    return unsafe corinth_counter_close(counter) > 0
  }

  /// From now on the end of the last hold returns `true`.
  ///
  /// - Returns: whether all holds have ended: the caller is the last.
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
    // Pairs with all acquiring loads of the pointer; the acquire with a faster thread's release.
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

/// Sums that many threads add to, without a write to shared memory. Reading adds up all threads.
@safe
// SAFETY: the tally owns the pointer and frees it in the deinit; thread-safe by the contract of
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
  /// - Parameter sum: the number of the sum, less than `CORINTH_TALLIES`.
  func add(_ amount: UInt64, to sum: Int) {
    precondition(sum < CORINTH_TALLIES, "StripedTally.add: there are \(CORINTH_TALLIES) sums")
    unsafe corinth_counter_tally(pointer, UInt32(sum), amount)
  }

  /// A sum: all additions before the call, and maybe some concurrent additions.
  func sum(_ sum: Int) -> UInt64 {
    precondition(sum < CORINTH_TALLIES, "StripedTally.sum: there are \(CORINTH_TALLIES) sums")
    return unsafe corinth_counter_tallied(pointer, UInt32(sum))
  }
}
