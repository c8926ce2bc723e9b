// SPDX-License-Identifier: MIT

extension ContainerCore {
  /// Refuses new scopes, waits until the open ones have closed, and closes the container.
  ///
  /// - Parameters:
  ///   - outcome: how the work in the container has ended.
  ///   - draining: the longest time to wait; `nil` neither refuses nor waits.
  ///   - workLimit: the longest time for the cancelled work of scopes still open after the
  ///     draining, which are then closed; `nil` leaves the scopes open.
  ///   - timeLimits: asked for when the draining is over.
  nonisolated(nonsending)
    func shutDown(
      after outcome: ScopeOutcome = .completed, draining: Duration?,
      closingScopesAfter workLimit: Duration? = nil,
      timeLimits: () -> TimeLimits
    ) async throws(CloseError)
  {
    var open = 0
    if let draining { open = await drain(for: draining) }
    let timeLimits = timeLimits()
    var failures: [DisposalFailure] = []
    if let workLimit {
      openScopes.drain(isScope: isScope)
      failures = await closeOpenScopes(
        workLimit: workLimit, timeLimits: timeLimits.sequential)
    }
    failures += await closeForDisposal(outcome: outcome, timeLimits: timeLimits)
    if open > 0 { throw .drainingTimedOut(openScopes: open, failures: failures) }
    if !failures.isEmpty { throw .disposalFailed(failures) }
  }

  /// Refuses new scopes, and waits until the open ones have closed, or until the container closes.
  ///
  /// - Parameter limit: the longest time to wait; `nil` for none.
  /// - Returns: the number of scopes that were still open when the time had passed.
  @discardableResult
  nonisolated(nonsending)
    func drain(for limit: Duration?) async -> Int
  {
    openScopes.drain(isScope: isScope)
    if isClosed || openScopeCount == 0 { return 0 }
    if limit.map({ $0 > .zero }) ?? true {
      // A wait that has timed out ends when the container closes.
      let result = await withTimeLimit(limit, on: .steps) { await Draining.wait(for: self) }
      if case .success = result { return 0 }
    }
    return isClosed ? 0 : openScopeCount
  }
}
