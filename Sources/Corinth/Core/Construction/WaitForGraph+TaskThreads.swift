// SPDX-License-Identifier: MIT

internal import Synchronization

/// Blocked threads that leave no thread for the tasks they wait for.
///
/// A synchronous resolve blocks its thread until the publication, which may need a task: an
/// instance is held until the asynchronous ones it refers to are complete. Tasks share as many
/// threads as there are processors. With all blocked, in resolves or in factories that wait for
/// resolves of further threads, no task goes on.
///
/// After a second of waiting for a task, a thread starts a probe, a task to show whether tasks run.
/// If the probe does not begin within seconds, and all threads of the pool are known to be blocked
/// by such waits, the resolve fails, and the remaining ones go on. Otherwise the pool may be busy,
/// or blocked by user code: the thread waits for a minute before giving up.
extension WaitForGraph {
  /// The number of resolves that gave up.
  private static let surrenders = Atomic<Int>(0)

  /// The waits of a second and more that block threads with tasks.
  // SAFETY: only touched with the mutex held.
  nonisolated(unsafe) private static var longWaits: [ObjectIdentifier: Wait] = [:]

  /// Blocks the calling thread, which may keep tasks from running, until a wait in the graph ends.
  static func block(in wait: Wait, on latch: Latch) {
    guard !latch.wait(milliseconds: 1_000) else { return }
    isPreparedForFork
    withLock { _ in unsafe longWaits[ObjectIdentifier(wait)] = wait }
    // The caller has a second reference: nothing is destroyed with the mutex held.
    defer { withLock { _ in unsafe longWaits[ObjectIdentifier(wait)] = nil } }
    var probe = probe(for: wait, after: nil)
    while !latch.wait(milliseconds: probe == nil ? 1_000 : 4_000) {
      probe = self.probe(for: wait, after: probe)
    }
  }

  /// The next probe, while the wait depends on a task. A resolve gives up after a probe in vain.
  private static func probe(for wait: Wait, after last: TaskProbe?) -> TaskProbe? {
    // A closing must not give up, and has no use for a probe.
    guard wait.isResolve else { return nil }
    let priority = withLock { changes -> TaskPriority? in
      guard let builder = wait.target.flatMap(taskAwaited(by:)) else { return nil }
      if let last, last.isInVain(whenAllAreBlocked: areAllTaskThreadsBlocked) {
        surrenders.add(1, ordering: .relaxed)
        changes.end(wait, .refused(builder.key))
      }
      return builder.links.taskPriority ?? Task.currentPriority
    }
    guard let priority else { return nil }
    if let last, last.goesOn { return last }
    return TaskProbe(priority)
  }

  /// Whether all threads of the pool are blocked in or by these waits. The mutex is held.
  private static var areAllTaskThreadsBlocked: Bool {
    var threads: Set<TaskThread> = []
    // Every factory counts as a thread: it blocks one, or is suspended for a resolve elsewhere.
    var factories: Set<ObjectIdentifier> = []
    for wait in unsafe longWaits.values {
      let blocked = wait.blockedTaskThreads
      threads.formUnion(blocked)
      if blocked.isEmpty, let waiter = wait.asynchronousWaiter {
        factories.insert(ObjectIdentifier(waiter))
      }
    }
    return LimitThreads.excluding(from: threads).count + factories.count >= TaskThread.countInPool
  }

  /// Forgets the waits of threads left behind by a fork.
  private static let isPreparedForFork: Void = {
    // Initialized before a handler touches it. No thread uses the list before this returns.
    unsafe longWaits = [:]
    ForkHandlers.add {
      // Nothing is destroyed in a child, see `WaitForGraph`.
      unsafe withUnsafeMutablePointer(to: &longWaits) { unsafe $0.initialize(to: [:]) }
    }
  }()

  fileprivate static var surrendersSoFar: Int { surrenders.load(ordering: .relaxed) }

  /// A task's construction on which the end of `construction` depends, if any. The mutex is held.
  private static func taskAwaited(by construction: Construction) -> Construction? {
    var visited: Set<ObjectIdentifier> = []
    var pending = [construction]
    while let next = pending.popLast() {
      guard visited.insert(ObjectIdentifier(next)).inserted else { continue }
      if next.isAsynchronous { return next }
      pending += next.awaited
    }
    return nil
  }
}

/// A task to show whether tasks run.
private final class TaskProbe: Sendable {
  /// The number of waits for a probe, unless all threads are known to be blocked: a minute in all.
  private static let patience = 15

  /// The number of resolves that had given up at the start of the probe.
  private let surrenders = WaitForGraph.surrendersSoFar
  private let begun = Atomic<Bool>(false)
  private let looks = Atomic<Int>(0)

  /// - Parameter priority: the priority of the awaited task. Every priority has threads of its own.
  init(_ priority: TaskPriority) {
    Task.detached(priority: priority) { self.begun.store(true, ordering: .relaxed) }
  }

  /// Whether the probe has not begun, and no resolve has given up meanwhile: one would be enough.
  var goesOn: Bool {
    !begun.load(ordering: .relaxed) && surrenders == WaitForGraph.surrendersSoFar
  }

  /// Whether no task runs, and none will. Asked once after every wait for the probe.
  func isInVain(whenAllAreBlocked areAllBlocked: @autoclosure () -> Bool) -> Bool {
    let look = looks.add(1, ordering: .relaxed).newValue
    return goesOn && (look >= Self.patience || areAllBlocked())
  }
}

extension Construction {
  /// The constructions awaited by the construction. The mutex of the wait-for graph is held.
  var awaited: [Construction] {
    links.waits.values.compactMap(\.target) + links.phase.holders(of: self)
  }
}
