// SPDX-License-Identifier: MIT

internal import CCorinth

/// A value with a mutex around it, for all products of the library: fork(2) waits for each, so that none is left locked
/// in the child, where the thread that held it is not.
///
/// Not recursive. Nothing of the user's runs under it; neither is another lock taken or made, nor an object destroyed that
/// may own some.
// SAFETY: the value is only accessed with the lock held, which is freed in the deinit.
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
