// SPDX-License-Identifier: MIT

internal import CCorinth

/// Something that happens once, and that tasks wait for.
// SAFETY: the properties are only touched with the mutex of the wait-for graph held.
final class OneShotEvent: @unchecked Sendable {
  private var hasHappened = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Suspends until it has happened.
  nonisolated(nonsending) func wait() async {
    await withCheckedContinuation { continuation in
      corinth_waits_lock()
      let isOver = hasHappened
      if !isOver { waiters.append(continuation) }
      corinth_waits_unlock()
      if isOver { continuation.resume() }
    }
  }

  func happen() {
    corinth_waits_lock()
    hasHappened = true
    let resumed = waiters
    waiters = []
    corinth_waits_unlock()
    for continuation in resumed { continuation.resume() }
  }
}
