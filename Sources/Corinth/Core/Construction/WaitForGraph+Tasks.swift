// SPDX-License-Identifier: MIT

/// The links to the task that builds a construction.
struct TaskLinks {
  /// The task, from its start to the end of the construction.
  var task: Task<Void, Never>?
  /// The priority of the most urgent waiter, until there is a task to have it.
  var priority: TaskPriority?
  /// Whether the resolve that claimed the state has started the task: until then its wait is still to come.
  var isStarted = false
  /// Whether all waiters have left.
  var isAbandoned = false
}

/// The waits of tasks. No thread is blocked.
extension WaitForGraph {
  /// Suspends the calling task until the construction under way in `state` ends, or the task is cancelled.
  ///
  /// - Parameters:
  ///   - requester: the context whose resolver asked, if any.
  ///   - begun: the construction that the caller has begun, if any.
  ///   - start: starts the construction's task, when the caller has claimed the state.
  static func waitAsync(
    for state: InstanceState, requestedBy requester: ResolutionContext?,
    begun: Construction? = nil, starting start: (@Sendable () -> Task<Void, Never>)? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async -> Outcome {
    let wait = Wait(requestedBy: requester, begun: begun)
    // Only closures that capture the isolation stay on the caller's actor until they suspend.
    return await withTaskPriorityEscalationHandler {
      _ = isolation
      return await withTaskCancellationHandler {
        _ = isolation
        // SAFETY, of the continuation: `begin` either resumes it, or hands it to the wait, which is ended once.
        return unsafe await withUnsafeContinuation { continuation in
          if let start {
            unsafe begin(wait, for: state, starting: start, continuation)
          } else {
            unsafe begin(wait, for: state, continuation)
          }
        }
      } onCancel: {
        cancel(wait)
      }
    } onPriorityEscalated: { _, priority in
      escalate(withLock { _ in wait.target }, to: priority)
    }
  }

  private static func begin(
    _ wait: Wait, for state: InstanceState, _ continuation: UnsafeContinuation<Outcome, Never>
  ) {
    let decision = withLock { resumed in
      let decision = decide(on: state, wait, &resumed)
      if case .wait(let target) = decision {
        unsafe wait.begin(for: target, in: continuation)
      }
      return decision
    }
    switch decision {
    case .conclude(let outcome): unsafe continuation.resume(returning: outcome)
    case .wait(let target): follow(wait, for: target)
    }
  }

  /// The same for the caller that starts the construction. It waits without a search, since nothing can wait
  /// for the caller through a task that has not begun.
  private static func begin(
    _ wait: Wait, for state: InstanceState, starting start: () -> Task<Void, Never>,
    _ continuation: UnsafeContinuation<Outcome, Never>
  ) {
    let (target, isWaiting) = withLock { _ -> (Construction, Bool) in
      guard let target = join(state) else {
        preconditionFailure("WaitForGraph.waitAsync: the caller must have claimed the state")
      }
      target.links.task.isStarted = true
      wait.leaveWhatIsDone()
      if isAbandoned(wait) { return (target, false) }
      unsafe wait.begin(for: target, in: continuation)
      return (target, true)
    }
    let task = start()
    let (isCancelled, priority) = withLock { _ in
      // A construction that has ended must not retain its task.
      if !target.isFinished { target.links.task.task = task }
      return (target.links.task.isAbandoned, target.links.task.priority)
    }
    if isCancelled { task.cancel() }
    if let priority { task.escalatePriority(to: priority) }
    if isWaiting {
      follow(wait, for: target)
    } else {
      unsafe continuation.resume(returning: .abandoned)
    }
  }

  /// Applies a cancellation or an escalation of the waiting task that came before its wait was in the graph, where
  /// the handlers find it.
  private static func follow(_ wait: Wait, for target: Construction) {
    escalate(target, to: Task.currentPriority)
    if withLock({ _ in wait.isCancelled }) { cancel(wait) }
  }

  /// Ends the wait of a cancelled task. The last waiter to leave cancels the construction, unless another one has
  /// an early reference to its instance.
  private static func cancel(_ wait: Wait) {
    let (hasEnded, abandoned) = withLock { _ -> (Bool, Task<Void, Never>?) in
      guard let target = wait.target else {
        wait.markCancelled()
        return (false, nil)
      }
      wait.end(.cancelled)
      return (true, abandonIfUnwanted(target))
    }
    // The cancellation comes first: the waiter may rely on its having reached what was built for it.
    abandoned?.cancel()
    if hasEnded { wait.resume() }
  }

  /// Marks a construction as abandoned if no resolve waits for it, and none has got its instance early. The mutex is held.
  ///
  /// - Returns: its task, which the caller must cancel with the mutex given up.
  static func abandonIfUnwanted(_ construction: Construction) -> Task<Void, Never>? {
    let links = construction.links
    guard links.waiters.isEmpty, links.borrowers.isEmpty, links.task.isStarted else { return nil }
    links.task.isAbandoned = true
    return links.task.task
  }

  private static func escalate(_ construction: Construction?, to priority: TaskPriority) {
    let task = withLock { _ -> Task<Void, Never>? in
      guard let construction, !construction.isFinished else { return nil }
      let links = construction.links
      if links.task.task == nil {
        links.task.priority = max(priority, links.task.priority ?? priority)
      }
      return links.task.task
    }
    task?.escalatePriority(to: priority)
  }
}
