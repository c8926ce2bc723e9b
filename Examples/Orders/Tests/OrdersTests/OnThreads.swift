// SPDX-License-Identifier: MIT

import Foundation

/// Runs `body` on new threads that start together, and waits for all of them without blocking the
/// task.
///
/// - Throws: the error of the first thread, by index, that has thrown.
@discardableResult
nonisolated(nonsending)
  func onThreads<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Value
  ) async throws -> [Value]
{
  let start = Gathering(count)
  let results = await withTaskGroup(of: (Int, Result<Value, any Error>).self) { group in
    for index in 0..<count {
      group.addTask {
        await withCheckedContinuation { ended in
          Thread {
            start.wait()
            let result = Result { try body(index) }
            ended.resume(returning: (index, result))
          }.start()
        }
      }
    }
    return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
  }
  return try (0..<count).map { try results[$0]!.get() }
}

/// Lets threads go on when all have come.
private final class Gathering: Sendable {
  private let condition = NSCondition()
  nonisolated(unsafe) private var missing: Int

  init(_ count: Int) {
    unsafe missing = count
  }

  func wait() {
    condition.lock()
    defer { condition.unlock() }
    unsafe missing -= 1
    condition.broadcast()
    while unsafe missing > 0 { condition.wait() }
  }
}
