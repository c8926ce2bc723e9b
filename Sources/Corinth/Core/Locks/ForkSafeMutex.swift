// SPDX-License-Identifier: MIT

internal import CCorinth

/// A value behind a mutex, for all products of the library. fork(2) waits for every such mutex: a
/// child would otherwise inherit a mutex locked by a thread that the child does not have.
///
/// Not recursive. Under the mutex no user code runs, no second lock is taken or made, and no object
/// is destroyed that may own a lock.
// SAFETY: the value is only accessed with the lock held; the lock lives until the deinit.
@safe
package final class ForkSafeMutex<Value: Sendable>: @unchecked Sendable {
  private let lock: OpaquePointer
  private var value: Value

  package init(_ value: Value) {
    // Never NULL: traps when out of memory.
    unsafe lock = corinth_lock_create().unsafelyUnwrapped
    self.value = value
  }

  /// Calls `body` with the lock held.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    unsafe corinth_lock_acquire(lock)
    defer { unsafe corinth_lock_release(lock) }
    return try body(&value)
  }

  deinit {
    unsafe corinth_lock_destroy(lock)
  }
}
