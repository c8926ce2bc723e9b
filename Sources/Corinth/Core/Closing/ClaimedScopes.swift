// SPDX-License-Identifier: MIT

/// The scopes whose ends one caller has taken over. Every scope is closed after its inner scopes;
/// unrelated scopes are closed side by side.
///
/// A few workers take the scopes without open inner scopes, the newest first. The worker that
/// closes the last inner scope of an outer scope goes on with the outer scope, so that no worker
/// waits for a second worker.
final class ClaimedScopes: Sendable {
  struct Scope: Sendable {
    let tracked: TrackedScope
    let held: (core: ContainerCore, owner: any AnyObject & Sendable)?
    /// `nil` if the scope is ended by its own work, or by somebody else.
    let closing: Closing?
  }

  private struct State {
    /// The scopes without open inner scopes; the last one is the next to be closed.
    var ready: [Int]
    /// For each scope, the number of open scopes directly inside.
    var open: [Int]
    /// For each scope, the failures.
    var failures: [[DisposalFailure]]
  }

  private let scopes: [Scope]
  /// For each scope, the nearest scope around it.
  private let outer: [Int?]
  private let state: ForkSafeMutex<State>

  /// - Parameter scopes: the oldest first.
  init(_ scopes: [Scope]) {
    var numbers: [TrackedScope: Int] = [:]
    for (number, scope) in scopes.enumerated() { numbers[scope.tracked] = number }
    let outer = scopes.map { scope in
      sequence(first: scope.tracked, next: \.outer).dropFirst().firstResult { numbers[$0] }
    }
    var open = [Int](repeating: 0, count: scopes.count)
    for case let number? in outer { open[number] += 1 }
    (self.scopes, self.outer) = (scopes, outer)
    state = ForkSafeMutex(
      State(
        ready: scopes.indices.filter { open[$0] == 0 }, open: open,
        failures: scopes.map { _ in [] }))
  }

  /// The greatest number of scopes closed at once: half of the threads that disposers may block, so
  /// that the disposers of the singletons find free threads.
  private static var maximumConcurrency: Int { LimitThreads.bound / 2 }

  /// Closes all claimed scopes, and returns the failures, the newest scope's first.
  nonisolated(nonsending)
    func close(_ timeLimits: TimeLimits) async -> [DisposalFailure]
  {
    let workers = min(state.withLock { $0.ready.count }, Self.maximumConcurrency)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<workers {
        group.addTask(executorPreference: timeLimits.executor) { await self.closeReady(timeLimits) }
      }
    }
    return state.withLock { $0.failures }.reversed().flatMap(\.self)
  }

  /// Closes scopes until none is ready.
  private func closeReady(_ timeLimits: TimeLimits) async {
    while let number = state.withLock({ $0.ready.popLast() }) {
      let failures = await scopes[number].close(timeLimits)
      state.withLock { state in
        state.failures[number] = failures
        guard let outer = outer[number] else { return }
        state.open[outer] -= 1
        if state.open[outer] == 0 { state.ready.append(outer) }
      }
    }
  }
}

extension ClaimedScopes.Scope {
  /// Carries the closing out, or waits for the scope's end by its own work or another caller.
  fileprivate func close(_ timeLimits: TimeLimits) async -> [DisposalFailure] {
    if let held, let closing {
      return await held.core.dispose(closing, timeLimits: timeLimits)
    }
    return await tracked.waitForEnd(of: held?.core, timeLimits).map { [$0] } ?? []
  }
}
