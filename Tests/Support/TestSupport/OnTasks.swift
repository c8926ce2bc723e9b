// SPDX-License-Identifier: MIT

/// Runs `body` in new tasks that start together, and waits for all tasks.
///
/// - Parameters:
///   - count: how many tasks.
///   - body: receives the index of its task.
/// - Returns: the results of the tasks, by index.
/// - Throws: the error of the first task, by index, that has thrown. To see all errors, return a
///   `Result`.
@discardableResult
public func onTasks<Value: Sendable>(
  _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
  let start = AsyncGate()
  let arrived = AtomicCounter()
  let tasks = (0..<count).map { index in
    Task {
      if arrived.add() == count { start.open() }
      await start.wait()
      return try await body(index)
    }
  }
  var results: [Result<Value, any Error>] = []
  for task in tasks { results.append(await task.result) }
  return try results.map { try $0.get() }
}

/// The result or the error of `body`.
public func outcome<Value>(
  of body: nonisolated(nonsending) () async throws -> Value
) async -> Result<Value, any Error> {
  do { return .success(try await body()) } catch { return .failure(error) }
}
