// SPDX-License-Identifier: MIT

internal import Synchronization

/// Blocked threads that leave none for the tasks that they wait for.
///
/// A synchronous resolve blocks its thread until the instance is published. That may take a task: an instance is held until
/// the asynchronous one is complete that it refers to. Tasks share as many threads as there are processors. If all of
/// these are blocked, in resolves or in factories that wait for other threads' resolves, no task goes on.
///
/// So a thread that depends on a task, and has waited for a second, starts a task to see whether any runs. If that does
/// not begin within seconds, and all threads of the pool are known to be blocked by such waits, the thread's resolve
/// fails, and the others go on. If they are not, the pool may be busy, and tasks run later; or a user's code blocks the
/// rest of them. Then the thread waits for a minute before it gives up.
extension WaitForGraph {
  /// The number of resolves that have given up.
  private static let surrenders = Atomic<Int>(0)

  /// The waits of a second and more that block threads with tasks.
  // SAFETY: only touched with the mutex held.
  nonisolated(unsafe) private static var longWaits: [ObjectIdentifier: Wait] = [:]

  /// Blocks the calling thread, which may keep tasks from running, until a wait in the graph ends.
  static func block(in wait: Wait, on latch: Latch) {
    guard !latch.wait(milliseconds: 1_000) else { return }
    isPreparedForFork
    withLock { _ in unsafe longWaits[ObjectIdentifier(wait)] = wait }
    // The caller has another reference: nothing is destroyed with the mutex held.
    defer { withLock { _ in unsafe longWaits[ObjectIdentifier(wait)] = nil } }
    var probe = probe(for: wait, after: nil)
    while !latch.wait(milliseconds: probe == nil ? 1_000 : 4_000) {
      probe = self.probe(for: wait, after: probe)
    }
  }

  /// The probe to wait for next, while the wait depends on a task. A resolve gives up if the last one says that it must.
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

  /// Whether all threads of the pool are blocked in these waits, or by them. The mutex is held.
  private static var areAllTaskThreadsBlocked: Bool {
    var threads: Set<TaskThread> = []
    // Each counts as a thread: it blocks one, unless it is suspended until the other thread has resolved.
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

  /// Forgets the waits of threads that a fork has left behind.
  private static let isPreparedForFork: Void = {
    // Initialized before a handler touches it. No other thread does before this returns.
    unsafe longWaits = [:]
    ForkHandlers.add {
      // Nothing is destroyed in a child, see `WaitForGraph`.
      unsafe withUnsafeMutablePointer(to: &longWaits) { unsafe $0.initialize(to: [:]) }
    }
  }()

  fileprivate static var surrendersSoFar: Int { surrenders.load(ordering: .relaxed) }

  /// The construction of a task that the end of `construction` depends on, if there is one. The mutex is held.
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

/// A task that shows whether tasks run.
private final class TaskProbe: Sendable {
  /// How often a thread waits for a probe, if it is not known that all threads are blocked: a minute.
  private static let patience = 15

  /// The number of resolves that had given up when it was started.
  private let surrenders = WaitForGraph.surrendersSoFar
  private let begun = Atomic<Bool>(false)
  private let looks = Atomic<Int>(0)

  /// - Parameter priority: that of the task which it stands for. Each priority has threads of its own.
  init(_ priority: TaskPriority) {
    Task.detached(priority: priority) { self.begun.store(true, ordering: .relaxed) }
  }

  /// Whether it has not begun yet, and no other resolve has given up meanwhile: that would be enough.
  var goesOn: Bool {
    !begun.load(ordering: .relaxed) && surrenders == WaitForGraph.surrendersSoFar
  }

  /// Whether no task runs, and none will. Asked once after each wait for it.
  func isInVain(whenAllAreBlocked areAllBlocked: @autoclosure () -> Bool) -> Bool {
    let look = looks.add(1, ordering: .relaxed).newValue
    return goesOn && (look >= Self.patience || areAllBlocked())
  }
}

extension Construction {
  /// The constructions that this one waits for. The mutex of the wait-for graph is held.
  var awaited: [Construction] {
    links.waits.values.compactMap(\.target) + links.phase.holders(of: self)
  }
}
