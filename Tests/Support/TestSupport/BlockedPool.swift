// SPDX-License-Identifier: MIT

import Foundation

/// Tasks that block all threads of the cooperative pool, from the start to ``end()``.
public struct BlockedPool: Sendable {
  private let mayEnd = DispatchSemaphore(value: 0)
  private let count = ProcessInfo.processInfo.activeProcessorCount

  /// Blocks the calling thread, which must be outside of the pool, until all threads of the pool
  /// are blocked.
  public init() {
    let isBlocked = DispatchSemaphore(value: 0)
    for _ in 0..<count {
      Task.detached { [mayEnd] in Self.block(isBlocked, until: mayEnd) }
    }
    for _ in 0..<count { isBlocked.wait() }
  }

  private static func block(_ isBlocked: DispatchSemaphore, until mayEnd: DispatchSemaphore) {
    isBlocked.signal()
    mayEnd.wait()
  }

  public func end() {
    for _ in 0..<count { mayEnd.signal() }
  }
}
