// SPDX-License-Identifier: MIT

import Foundation

/// Lets threads go on when as many have arrived as it was made for. May be used again.
public final class Barrier: @unchecked Sendable {
  // SAFETY: `waiting` and `generation` are only touched with the condition locked.
  private let condition = NSCondition()
  private let count: Int
  private var waiting = 0
  private var generation = 0

  public init(_ count: Int) {
    self.count = count
  }

  public func wait() {
    condition.withLock {
      waiting += 1
      if waiting == count {
        waiting = 0
        generation += 1
        condition.broadcast()
        return
      }
      let arrived = generation
      while arrived == generation { condition.wait() }
    }
  }
}
