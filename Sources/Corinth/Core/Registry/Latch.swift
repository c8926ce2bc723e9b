// SPDX-License-Identifier: MIT

internal import CCorinth

/// A one-shot latch: a thread waits, a second thread opens the latch.
@safe
// SAFETY: the latch owns the pointer until the deinit; thread-safe by the contract of CCorinth.h.
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

  deinit {
    unsafe corinth_latch_destroy(pointer)
  }
}
