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

/// The mutexes of the core held by the calling thread.
///
/// Every class of the core that can own a user's object asserts in its deinit that no mutex is
/// held. The last reference to a product, a closure or an error must not end under a lock: the
/// deinit of the user's object could resolve, and wait for a lock held by the very thread.
enum HeldLocks {
  /// Ends the program, in debug builds, if an object is destroyed with a mutex of the core held.
  @inline(__always)
  static func assertNone(_ type: Any.Type, file: StaticString = #fileID, line: UInt = #line) {
    assert(
      corinth_locks_held() == 0, "\(type): must not be destroyed with a lock held", file: file,
      line: line)
  }
}

/// The mutex of the wait-for graph, one for the process. Not recursive; fork(2) waits until no
/// other thread holds the mutex. No user code runs under the mutex, deinits included.
package enum WaitsMutex {
  @inline(__always)
  package static func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock()
    defer { unlock() }
    return try body()
  }

  static func lock() {
    corinth_waits_lock()
  }

  static func unlock() {
    corinth_waits_unlock()
  }
}

/// The mutex of the time limits, one for the process. Rules as for `WaitsMutex`, which may be held.
enum LimitsMutex {
  static func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    corinth_limits_lock()
    defer { corinth_limits_unlock() }
    return try body()
  }
}
