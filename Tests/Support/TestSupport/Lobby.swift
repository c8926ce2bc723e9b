// SPDX-License-Identifier: MIT

/// Where tasks come to wait for something, and which knows when they have begun to.
///
/// An actor runs one task at a time, each until it suspends. A task that is on this one therefore finds all
/// who entered before it suspended, provided that what they call stays on its caller's actor.
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
