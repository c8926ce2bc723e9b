// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// Ends the thread, as a logger that never returns does.
func endThread(_ ledger: Ledger) -> Never {
  ledger.notesDeath()
  pthread_exit(nil)
}

/// Runs `next` until it returns false: on a thread of its own, and on another one whenever that has
/// died.
func onThreadsThatMayDie(_ next: @escaping () -> Bool) {
  let steps = Steps(next)
  while !steps.areOver {
    JoinableThread(stackSize: 1 << 20) { steps.run() }.joinWithoutResult()
  }
}

/// SAFETY: used by one thread at a time, which is joined before the next one starts.
private final class Steps: @unchecked Sendable {
  private let next: () -> Bool
  private(set) var areOver = false

  init(_ next: @escaping () -> Bool) { self.next = next }

  func run() {
    while next() {}
    areOver = true
  }
}
