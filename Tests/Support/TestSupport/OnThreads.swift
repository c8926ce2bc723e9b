// SPDX-License-Identifier: MIT

/// The smallest stack that the platforms give to a thread other than the main thread, in bytes;
/// larger under a sanitizer, whose frames are larger.
public let smallStackSize =
  isSanitized ? 4 * 1024 * 1024 : 512 * 1024

/// Runs `body` on new threads that start together, and joins all threads.
///
/// - Parameters:
///   - count: how many threads.
///   - stackSize: of each thread, in bytes; the platform's default when left out.
///   - body: receives the index of its thread.
/// - Returns: the results of the threads, by index.
/// - Throws: the error of the first thread, by index, that has thrown. To see all errors, return a
///   `Result`.
@discardableResult
public func onThreads<Value: Sendable>(
  _ count: Int, stackSize: Int? = nil, _ body: @escaping @Sendable (Int) throws -> Value
) throws -> [Value] {
  let start = Barrier(count)
  let threads = (0..<count).map { index in
    JoinableThread(stackSize: stackSize) {
      start.wait()
      return try body(index)
    }
  }
  return try threads.map { $0.join() }.map { try $0.get() }
}

/// Runs `body` on one new thread with a stack as small as secondary threads may have.
@discardableResult
public func onSmallStack<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) throws -> Value {
  try onThreads(1, stackSize: smallStackSize) { _ in try body() }[0]
}
