// SPDX-License-Identifier: MIT

extension Container {
  /// The container that the calling task has been given with `withCurrent`; `nil` when there is none.
  ///
  /// ```swift
  /// let session = try Container.current?.resolve(Session.self)
  /// ```
  ///
  /// Child tasks and tasks made with `Task { }` inherit it; detached tasks and other threads do not.
  @TaskLocal public static var current: Container?

  /// Runs `body` with this as the ``current`` container.
  ///
  /// - Returns: what `body` returns.
  public func withCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self, operation: body)
  }

  /// Runs `body` with this as the ``current`` container. The caller stays on its actor.
  ///
  /// ```swift
  /// try await scope.withCurrent { try await handle(request) }
  /// ```
  ///
  /// - Returns: what `body` returns.
  nonisolated(nonsending)
    public func withCurrent<Result>(
      _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result
  {
    try await Self.$current.withValue(self, operation: body)
  }
}
