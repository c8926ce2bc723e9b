// SPDX-License-Identifier: MIT

internal import CCorinth

/// Who waits for whose construction, over all threads and containers of the process.
///
/// Nodes are constructions. A resolve inside of construction `C` that waits for construction `T`
/// makes `C`, and every construction that `C` is a part of, wait for `T`. Before an edge is added, the
/// graph is searched for a way from `T` back to the one who wants to wait; if there is one, nobody
/// waits and the resolve fails. Checking and adding happen under one mutex, so of two threads that
/// would close a cycle the second one sees the first. Only resolves that find a construction under way
/// come here.
enum WaitForGraph {
  @safe
  private struct Wait {
    /// The constructions that the waiting resolve is a part of, innermost first.
    let waiting: [Construction]
    let target: Construction
    let latch: OpaquePointer
  }

  // SAFETY: only touched with the mutex held (corinth_waits_lock), or in a child process just
  // forked, which has one thread.
  nonisolated(unsafe) private static var waits: [Wait] = []

  enum Outcome {
    /// The construction ended, well or not: look again.
    case retry
    /// Waiting would never end: the keys from the one wanted to one that the caller is building.
    case cycle([RegistrationKey])
  }

  /// Blocks the calling thread until the construction under way in `state` ends.
  ///
  /// - Parameter requester: the construction whose resolver asked, if any.
  static func wait(for state: InstanceState, requestedBy requester: Construction?) -> Outcome {
    // What the calling resolve is a part of: the thread's constructions and the resolver's.
    let waiting = Construction.unfinishedChain(
      of: [Construction.running, requester].compactMap { $0 })
    let latch = unsafe corinth_latch_create()
    defer { unsafe corinth_latch_destroy(latch) }
    corinth_waits_lock()
    guard let target = state.joinAssumingWaitsLockHeld() else {
      corinth_waits_unlock()
      return .retry
    }
    if target.isOrphaned {
      state.abandonAssumingWaitsLockHeld()
      corinth_waits_unlock()
      return .retry
    }
    if let cycle = path(from: target, to: waiting) {
      corinth_waits_unlock()
      return .cycle(cycle)
    }
    unsafe waits.append(Wait(waiting: waiting, target: target, latch: latch.unsafelyUnwrapped))
    corinth_waits_unlock()
    unsafe corinth_latch_wait(latch)
    return .retry
  }

  /// Called by the owner of a construction that has ended and that others waited for.
  static func wakeWaiters(of construction: Construction) {
    corinth_waits_lock()
    let woken = unsafe waits.filter { $0.target === construction }
    unsafe waits.removeAll { $0.target === construction }
    corinth_waits_unlock()
    for wait in woken { unsafe corinth_latch_open(wait.latch) }
  }

  /// The keys on the way from `target` to one of `goals`, depth first; `nil` when there is none.
  private static func path(
    from target: Construction, to goals: [Construction]
  ) -> [RegistrationKey]? {
    var visited: [Construction] = []
    func visit(_ construction: Construction) -> [RegistrationKey]? {
      if goals.contains(where: { $0 === construction }) {
        return construction.key.map { [$0] } ?? []
      }
      if visited.contains(where: { $0 === construction }) { return nil }
      visited.append(construction)
      for wait in unsafe waits {
        guard let depth = wait.waiting.firstIndex(where: { $0 === construction }) else { continue }
        guard let rest = visit(wait.target) else { continue }
        return wait.waiting[...depth].reversed().compactMap(\.key) + rest
      }
      return nil
    }
    return visit(target)
  }

  // MARK: - Fork

  /// Makes sure that a child process will be told about its fork.
  static func prepareForFork() { _ = childCallback }

  private static let childCallback: Void = corinth_fork_set_child_callback {
    // The waiters' threads are gone. Their waits are not destroyed, as that would free memory in a
    // child that may have been forked in the middle of an allocation.
    unsafe withUnsafeMutablePointer(to: &waits) { unsafe $0.initialize(to: []) }
    Construction.adoptRunningAfterFork()
  }
}
