// SPDX-License-Identifier: MIT

internal import CCorinth

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
