// SPDX-License-Identifier: MIT

/// Repeats an operation `count` times on the calling thread.
public typealias Loop = @Sendable (_ thread: Int, _ count: Int) throws -> Void

/// Repeats an operation `count` times in the calling task.
public typealias AsyncLoop = @Sendable (_ task: Int, _ count: Int) async throws -> Void

/// A column's way to perform an operation.
public enum Workload: Sendable {
  /// The containers, equal in every round.
  case loop(Loop)
  /// Something fresh in every round, made outside of the measured time.
  case prepared(@Sendable (_ threads: Int, _ count: Int) throws -> Loop)
  /// In tasks instead of threads.
  case tasks(AsyncLoop)
}
