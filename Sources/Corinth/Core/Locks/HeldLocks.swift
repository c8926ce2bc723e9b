// SPDX-License-Identifier: MIT

internal import CCorinth

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
