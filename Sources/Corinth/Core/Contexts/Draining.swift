// SPDX-License-Identifier: MIT

/// The callers that wait until the scopes of a container have closed.
///
/// A list for the process, since hardly any container ever has such callers. It is guarded by the mutex of the
/// wait-for graph.
///
/// No wake-up is lost: a caller counts the open scopes under the mutex after the container has begun to drain. A scope
/// that it has counted closes afterwards, sees that the container drains, and takes the mutex to look for callers. Of
/// several that close at once the last one to take the mutex counts none.
enum Draining {
  private struct Wait {
    let container: ContainerCore
    let continuation: CheckedContinuation<Void, Never>
  }

  // SAFETY: only touched with the mutex of the wait-for graph held, or in a child process just forked, which has
  // one thread.
  nonisolated(unsafe) private static var waits: [Wait] = []

  /// Suspends the calling task until a container that drains has no open scope, or closes. The task's cancellation
  /// changes nothing.
  nonisolated(nonsending)
    static func wait(for container: ContainerCore) async
  {
    _ = isPrepared
    await withCheckedContinuation { continuation in
      WaitsMutex.lock()
      // Pairs with the load of `isDraining` by a closer: that sees that the container drains, or is seen here.
      let isOver = isOver(container)
      if !isOver {
        unsafe waits.append(Wait(container: container, continuation: continuation))
      }
      WaitsMutex.unlock()
      if isOver { continuation.resume(returning: ()) }
    }
  }

  /// Lets the callers go on if the container closes, or the scope that has just closed was the last one.
  @inline(never)
  static func endWaits(for container: ContainerCore) {
    WaitsMutex.lock()
    // Let go of with the mutex given up: a wait may be the last to refer to its container.
    let former = unsafe waits
    var ended: [Wait] = []
    if former.contains(where: { $0.container === container }), isOver(container) {
      ended = former.filter { $0.container === container }
      unsafe waits.removeAll { $0.container === container }
    }
    WaitsMutex.unlock()
    for wait in ended { wait.continuation.resume(returning: ()) }
    withExtendedLifetime(former) {}
  }

  private static func isOver(_ container: ContainerCore) -> Bool {
    container.isClosed || container.openScopeCount == 0
  }

  /// In the child of a fork the callers do not exist. Nothing is destroyed, see `WaitForGraph`.
  private static let isPrepared: Void = {
    WaitsMutex.lock()
    _ = unsafe waits.count
    WaitsMutex.unlock()
    ForkHandlers.add {
      unsafe withUnsafeMutablePointer(to: &waits) { unsafe $0.initialize(to: []) }
    }
  }()
}
