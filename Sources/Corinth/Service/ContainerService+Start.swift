// SPDX-License-Identifier: MIT

extension ContainerService {
  /// Waits until the service is to end, or the start has failed.
  ///
  /// - Parameters:
  ///   - start: what comes first, if anything does.
  ///   - isRequested: waits. It returns whether the end was asked for, which a cancellation does not.
  /// - Returns: what `isRequested` returns or throws, or the error of `start`.
  func waiting(
    after start: (@Sendable () async throws -> Void)?,
    until isRequested: @escaping @Sendable () async throws -> Bool
  ) async -> Result<Bool, any Error> {
    guard let start else { return await Result.catching { try await isRequested() } }
    let (failures, continuation) = AsyncThrowingStream.makeStream(of: Never.self)
    // No child task: that one would be waited for, also if it hangs.
    let starting = Task {
      do { try await start() } catch { continuation.finish(throwing: error) }
    }
    defer { starting.cancel() }
    return await Result.catching {
      try await withThrowingTaskGroup(of: Bool?.self) { group in
        group.addTask {
          // There is no element. A cancellation ends the loop, and a failure does.
          for try await _ in failures {}
          return nil
        }
        group.addTask { try await isRequested() }
        defer { group.cancelAll() }
        for try await outcome in group { if let outcome { return outcome } }
        return false
      }
    }
  }
}
