// SPDX-License-Identifier: MIT

/// The waits of tasks. No thread is blocked.
extension WaitForGraph {
  /// Suspends the calling task until the construction in `place` ends, or until a cancellation.
  ///
  /// - Parameters:
  ///   - requester: the context whose resolver asked, if any.
  ///   - earlier: the attempts of the resolve; `nil` for a closing.
  ///   - start: starts the construction's task, when the caller has claimed the place.
  static func waitAsync(
    for place: Place, requestedBy requester: ResolutionContext?,
    after earlier: EarlierAttempts? = nil,
    starting start: (@Sendable () -> Task<Void, Never>)? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async -> Outcome {
    let wait = Wait(requestedBy: requester, after: earlier)
    // Only closures that capture the isolation stay on the caller's actor until a suspension.
    return await withTaskPriorityEscalationHandler {
      _ = isolation
      return await withTaskCancellationHandler {
        _ = isolation
        // SAFETY, of the continuation: `begin` resumes it, or hands it to the wait, ended once.
        let outcome: Outcome = unsafe await withUnsafeContinuation { continuation in
          if let start {
            unsafe begin(wait, for: place, starting: start, continuation)
          } else {
            unsafe begin(wait, for: place, continuation)
          }
        }
        // Pairs with the release in `Wait.resume`.
        ResumptionOrder.acquire(wait)
        return outcome
      } onCancel: {
        cancel(wait)
      }
    } onPriorityEscalated: { _, priority in
      escalate(withLock { _ in wait.target }, to: priority)
    }
  }

  private static func begin(
    _ wait: Wait, for place: Place, _ continuation: UnsafeContinuation<Outcome, Never>
  ) {
    let decision = withLock { changes in
      if isCancelled(wait) { return Decision.conclude(.cancelled) }
      let decision = decide(on: place, wait, &changes)
      if case .wait(let target) = decision {
        unsafe wait.begin(for: target, .task(continuation), &changes)
      }
      return decision
    }
    switch decision {
    case .conclude(let outcome): unsafe continuation.resume(returning: outcome)
    case .wait(let target): follow(wait, for: target)
    }
  }

  /// As `begin` without `start`, for the caller that starts the construction. Waits without a
  /// search, since nothing can wait for the caller through a task not begun.
  private static func begin(
    _ wait: Wait, for place: Place, starting start: () -> Task<Void, Never>,
    _ continuation: UnsafeContinuation<Outcome, Never>
  ) {
    let (target, refusal) = withLock { changes -> (Construction, Outcome?) in
      guard let target = join(place) else {
        preconditionFailure("WaitForGraph.waitAsync: the caller must have claimed the place")
      }
      target.links.task = .some(nil)
      wait.leaveWhatIsDone(&changes)
      let refusal: Outcome? = isAbandoned(wait) ? .abandoned : isCancelled(wait) ? .cancelled : nil
      if refusal == nil {
        unsafe wait.begin(for: target, .task(continuation), &changes)
      } else {
        // The task is not known yet, and is cancelled below.
        cancelIfUnwanted(target, &changes)
      }
      return (target, refusal)
    }
    let task = start()
    let priority = withLock { _ in
      // An ended construction must not retain its task.
      if !target.isFinished { target.links.task = task }
      return target.links.taskPriority
    }
    // Pairs with the mutex above: a caller that cancelled before did not know the task.
    if target.isCancelled { task.cancel() }
    if let priority { task.escalatePriority(to: priority) }
    if let refusal {
      unsafe continuation.resume(returning: refusal)
    } else {
      follow(wait, for: target)
    }
  }

  /// Applies a cancellation or priority escalation that arrived before the wait entered the graph;
  /// from then on the task's handlers do.
  private static func follow(_ wait: Wait, for target: Construction) {
    escalate(target, to: Task.currentPriority)
    if withLock({ _ in wait.isCancelled }) { cancel(wait) }
  }

  /// Ends the wait of a cancelled task. The last waiter to leave cancels the construction, unless a
  /// borrower has an early reference to the instance.
  private static func cancel(_ wait: Wait) {
    withLock { changes in
      guard let target = wait.target else {
        wait.isCancelled = true
        return
      }
      changes.end(wait, .cancelled)
      cancelIfUnwanted(target, &changes)
    }
  }

  /// Whether the resolve is inside a cancelled construction. The mutex is held.
  private static func isCancelled(_ wait: Wait) -> Bool {
    wait.isCancellable && wait.constructions.contains(where: \.isCancelled)
  }

  /// Whether a resolve in a task is inside a cancelled construction.
  static func isCancelled(requestedBy requester: ResolutionContext?) -> Bool {
    ResolutionContext.blockedChain(of: ResolutionContext.innermost(requestedBy: requester))
      .contains { $0.asConstruction?.isCancelled ?? false }
  }

  private static func escalate(_ construction: Construction?, to priority: TaskPriority) {
    let task = withLock { _ -> Task<Void, Never>? in
      guard let construction, !construction.isFinished else { return nil }
      let links = construction.links
      links.taskPriority = max(priority, links.taskPriority ?? priority)
      return links.task ?? nil
    }
    task?.escalatePriority(to: priority)
  }
}
