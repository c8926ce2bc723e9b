// SPDX-License-Identifier: MIT

/// Where tasks come to wait for something, and which knows when they have begun to.
///
/// An actor runs one task at a time, up to the task's next suspension. A task on this actor
/// therefore finds all tasks that entered before it suspended, provided that the called functions
/// stay on the caller's actor.
public actor Lobby {
  private var entered = 0
  private var expected: (count: Int, continuation: CheckedContinuation<Void, Never>)?

  public init() {}

  /// Runs `body` here.
  public func enter<Value: Sendable>(
    _ body: nonisolated(nonsending) @Sendable () async throws -> Value
  ) async rethrows -> Value {
    entered += 1
    if let expected, entered >= expected.count {
      self.expected = nil
      expected.continuation.resume()
    }
    return try await body()
  }

  /// Returns when as many tasks as this have entered, and each has suspended or left.
  public func waitForSuspension(of count: Int) async {
    if entered >= count { return }
    await withCheckedContinuation { expected = (count, $0) }
  }
}
