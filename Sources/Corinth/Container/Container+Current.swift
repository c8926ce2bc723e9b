// SPDX-License-Identifier: MIT

extension Container {
  /// The container of the innermost `withCurrent` in the calling task; `nil` outside of any
  /// `withCurrent`.
  ///
  /// ```swift
  /// let session = try Container.current?.resolve(Session.self)
  /// ```
  ///
  /// Child tasks and tasks made with `Task { }` inherit the container; detached tasks and other
  /// threads do not.
  @TaskLocal public static var current: Container?

  /// Runs `body` with this container as the ``current`` container.
  ///
  /// Only the calling task sees the setting, with the tasks that inherit the task's values; on a
  /// thread without a task, only the thread. Takes no lock.
  ///
  /// - Returns: the result of `body`.
  public func withCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let context = ResolutionContext.current else {
      return try Self.$current.withValue(self, operation: body)
    }
    return try ResolutionContext.$choosingCurrent.withValue(context) {
      try Self.$current.withValue(self, operation: body)
    }
  }

  /// Runs `body` with this container as the ``current`` container. The caller stays on its actor.
  ///
  /// ```swift
  /// try await scope.withCurrent { try await handle(request) }
  /// ```
  ///
  /// - Returns: the result of `body`.
  nonisolated(nonsending)
    public func withCurrent<Result>(
      _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result
  {
    guard let context = ResolutionContext.current else {
      return try await Self.$current.withValueOnActor(self, body)
    }
    return try await ResolutionContext.$choosingCurrent.withValueOnActor(context) {
      try await Self.$current.withValueOnActor(self, body)
    }
  }
}
