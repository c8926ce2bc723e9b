// SPDX-License-Identifier: MIT

internal import CCorinth

/// The mutex of the wait-for graph, one for the process. Not recursive, and held by no other thread while a
/// process forks. No user code runs under it, deinits included.
enum WaitsMutex {
  static func lock() {
    corinth_waits_lock()
  }

  static func unlock() {
    corinth_waits_unlock()
  }
}
