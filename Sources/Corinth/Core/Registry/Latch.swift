// SPDX-License-Identifier: MIT

internal import CCorinth

/// A one-shot latch: one thread waits, another opens it.
@safe
// SAFETY: the pointer is owned by this object, freed in its deinit, and thread-safe by the contract of CCorinth.h.
final class Latch: @unchecked Sendable {
  private let pointer: OpaquePointer

  init() {
    // Never NULL: traps when out of memory.
    unsafe pointer = corinth_latch_create().unsafelyUnwrapped
  }

  func open() {
    unsafe corinth_latch_open(pointer)
  }

  func wait() {
    unsafe corinth_latch_wait(pointer)
  }

  /// - Returns: whether it was opened in this time.
  func wait(milliseconds: UInt32) -> Bool {
    unsafe corinth_latch_wait_for(pointer, milliseconds)
  }

  deinit {
    unsafe corinth_latch_destroy(pointer)
  }
}
