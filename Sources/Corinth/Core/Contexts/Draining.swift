// SPDX-License-Identifier: MIT

/// The callers that wait until the scopes of a container have closed.
///
/// A list for the process, since hardly any container ever has such callers. Guarded by the mutex
/// of the wait-for graph.
///
/// No wake-up is lost: a caller counts the open scopes under the mutex after the container has
/// begun to drain. A counted scope closes afterwards, sees the drain, and takes the mutex to look
/// for callers. Of several closing scopes, the last to take the mutex counts none.
enum Draining {
  private struct Wait {
    let container: ContainerCore
    let continuation: CheckedContinuation<Void, Never>
  }

  // SAFETY: only touched with the mutex of the wait-for graph held, or in a child process just
  // forked, which has one thread.
  nonisolated(unsafe) private static var waits: [Wait] = []

  /// Suspends the calling task until a container that drains has no open scope, or closes. The
  /// task's cancellation changes nothing.
  nonisolated(nonsending)
    static func wait(for container: ContainerCore) async
  {
    _ = isPrepared
    await withCheckedContinuation { continuation in
      let isInVain = WaitsMutex.withLock {
        // Pairs with the load of `isDraining` by a closer: one of the two sees the other.
        if isOver(container) { return true }
        unsafe waits.append(Wait(container: container, continuation: continuation))
        return false
      }
      if isInVain { continuation.resume(returning: ()) }
    }
  }

  /// Resumes the callers if the container closes, or if the scope just closed was the last one.
  @inline(never)
  static func endWaits(for container: ContainerCore) {
    // Let go of with the mutex given up: a wait may be the last to refer to its container.
    let ended = WaitsMutex.withLock { () -> [Wait] in
      let ended = unsafe waits.filter { $0.container === container }
      if ended.isEmpty || !isOver(container) { return [] }
      unsafe waits.removeAll { $0.container === container }
      return ended
    }
    for wait in ended { wait.continuation.resume(returning: ()) }
  }

  private static func isOver(_ container: ContainerCore) -> Bool {
    container.isClosed || container.openScopeCount == 0
  }

  /// In the child of a fork the callers do not exist. Nothing is destroyed, see `WaitForGraph`.
  private static let isPrepared: Void = {
    _ = WaitsMutex.withLock { unsafe waits.count }
    ForkHandlers.add {
      unsafe withUnsafeMutablePointer(to: &waits) { unsafe $0.initialize(to: []) }
    }
  }()
}
