// SPDX-License-Identifier: MIT

internal import CCorinth

/// The mutexes of the core that the calling thread holds.
///
/// Each class of the core that can own something of the user's asserts in its deinit that there are none: the last
/// reference to a product, a closure or an error must not go under a lock. Its deinit could resolve, and wait for the
/// lock that its own thread holds.
enum HeldLocks {
  /// Ends the program, in debug builds, if an object is destroyed with a mutex of the core held.
  @inline(__always)
  static func assertNone(_ type: Any.Type, file: StaticString = #fileID, line: UInt = #line) {
    assert(
      corinth_locks_held() == 0, "\(type): must not be destroyed with a lock held", file: file,
      line: line)
  }
}

/// The mutex of the wait-for graph, one for the process. Not recursive, and held by no other thread while a
/// process forks. No user code runs under it, deinits included.
enum WaitsMutex {
  @inline(__always)
  static func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
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

/// The mutex of what keeps limits of time, one for the process. As that of the wait-for graph, which may be held already.
enum LimitsMutex {
  static func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    corinth_limits_lock()
    defer { corinth_limits_unlock() }
    return try body()
  }
}
