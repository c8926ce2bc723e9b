// SPDX-License-Identifier: MIT

import Foundation

/// An event that tasks wait for, to order what they do without clocks. Waiting blocks no thread and
/// does not end when the task is cancelled.
public final class AsyncGate: @unchecked Sendable {
  // SAFETY: the variables are only touched with the lock held, and ThreadSanitizer sees the lock.
  private let lock = NSLock()
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  public init() {}

  public func open() {
    let resumed = lock.withLock {
      isOpen = true
      defer { waiting = [] }
      return waiting
    }
    for continuation in resumed { continuation.resume() }
  }

  public func wait() async {
    await withCheckedContinuation { continuation in
      let isOver = lock.withLock {
        if !isOpen { waiting.append(continuation) }
        return isOpen
      }
      if isOver { continuation.resume() }
    }
  }
}
