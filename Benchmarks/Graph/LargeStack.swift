// SPDX-License-Identifier: MIT

import Foundation
internal import Synchronization

/// Runs `body` on a thread whose stack is large enough for nested constructions, and waits for it.
///
/// Singletons that are not built yet are built by nested calls, and a chain of instances is
/// released by nested calls too.
///
/// - Parameter levels: how many constructions may nest.
func onStack<Result: Sendable>(
  forLevels levels: Int, _ body: @escaping @Sendable () throws -> Result
) throws -> Result {
  // Measured: 1.5 KiB.
  let bytesPerLevel = 4 << 10
  let smallest = 8 << 20
  // The most that Thread accepts.
  let largest = 1 << 30
  let result = Mutex(Swift.Result<Result, any Error>?.none)
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    let outcome = Swift.Result { try body() }
    result.withLock { $0 = outcome }
    done.signal()
  }
  thread.stackSize = min(max(levels * bytesPerLevel, smallest), largest)
  thread.start()
  done.wait()
  guard let outcome = result.withLock({ $0 }) else { preconditionFailure() }
  return try outcome.get()
}
