// SPDX-License-Identifier: MIT

extension ContainerService {
  /// Shuts the container down.
  ///
  /// - Parameters:
  ///   - waiting: how the wait for the end has ended.
  ///   - announce: called before the draining, unless the start or the wait has failed.
  ///   - signals: the first one ends the announcement and the draining.
  func end(
    after waiting: Result<Void, any Error>, _ announce: @escaping @Sendable () async -> Void,
    orAtOnceAt signals: AsyncDropFirstSequence<AsyncStream<Void>>?
  ) async throws {
    let announcement = waiting.failure == nil ? Announcement(announce) : nil
    let impatience = signals.map { signals in
      Task {
        for await _ in signals {
          announcement?.stop()
          return await Result.catching { try await shutDown(nil) }
        }
        return .success(())
      }
    }
    await announcement?.wait()
    var results = [await Result.catching { try await shutDown(draining) }]
    impatience?.cancel()
    // The one that has come first to the disposers has their errors.
    if let impatience { results.append(await impatience.value) }
    let closeError = results.lazy.compactMap(\.failure).first
    switch (waiting.failure, closeError as? CloseError) {
    case (let error?, let closeError?): throw ScopeError(error: error, closeError: closeError)
    case (let error?, nil): throw error
    case (nil, let closeError?): throw closeError
    case (nil, nil): return
    }
  }
}

/// What a service does before it drains. A cancellation of the service leaves it alone.
private struct Announcement {
  private let task: Task<Void, Never>
  private let end = AsyncStream.makeStream(of: Never.self)

  init(_ announce: @escaping @Sendable () async -> Void) {
    task = Task { [end] in
      await announce()
      end.continuation.finish()
    }
  }

  /// Cancels it. One that goes on nevertheless is not waited for.
  func stop() {
    task.cancel()
    end.continuation.finish()
  }

  func wait() async {
    // In a task of its own, which is not cancelled with the service.
    await Task { for await _ in end.stream {} }.value
  }
}

extension Result where Success == Void, Failure == any Error {
  /// The error, if that is none of a cancelled task.
  fileprivate var failure: (any Error)? {
    guard case .failure(let error) = self, !(error is CancellationError) else { return nil }
    return error
  }
}

extension Result where Failure == any Error {
  static func catching(_ body: () async throws -> Success) async -> Self {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}
