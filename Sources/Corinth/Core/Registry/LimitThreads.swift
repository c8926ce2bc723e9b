// SPDX-License-Identifier: MIT

internal import CCorinth

/// Threads of the library's own, for work with a time limit, which may block the threads.
///
/// Tasks that prefer such an executor run beside the shared pool, which has a thread for each
/// processor, and go on while the whole pool is blocked. A thread ends when idle for some time. The
/// number of threads is bounded: work that comes when all are blocked waits for a thread.
// SAFETY: the variables are only touched with the mutex of the limits held, or in a child process
// just forked, which has one thread.
final class LimitThreads: TaskExecutor, @unchecked Sendable {
  /// For the work of users: disposers.
  static let work = LimitThreads(CORINTH_LIMIT_WORK)
  /// For the library's steps between disposers, which must go on when all threads above block.
  static let steps = LimitThreads(CORINTH_LIMIT_STEPS)
  /// For handlers of cancellations, which may be the only way for blocked work to go on.
  static let cancellations = LimitThreads(CORINTH_LIMIT_CANCELLATIONS)

  private enum Errand {
    case job(UnownedJob)
    case action(@Sendable () -> Void)
  }

  /// A queue that keeps no errand taken out: the mutex would be held when the errand is destroyed.
  private struct Errands {
    private var incoming: [Errand] = []
    /// In reverse order: the next errand is the last element.
    private var outgoing: [Errand] = []

    var count: Int { incoming.count + outgoing.count }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ errand: Errand) { incoming.append(errand) }

    mutating func takeFirst() -> Errand? {
      if outgoing.isEmpty {
        outgoing = incoming.reversed()
        incoming = []
      }
      return outgoing.popLast()
    }
  }

  /// The greatest number of threads of a group.
  static var bound: Int { 64 }

  private let group: corinth_limit_group
  private var errands = Errands()
  private var threads = 0
  private var idleThreads = 0

  private init(_ group: corinth_limit_group) {
    self.group = group
    ForkHandlers.add(inChild: forgetAfterFork)
  }

  /// Whether the group has its greatest number of threads, and all are taken.
  var isFull: Bool {
    LimitsMutex.withLock { threads == Self.bound && errands.count > idleThreads }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    add(.job(UnownedJob(job)))
  }

  /// Runs an action that needs no task.
  func run(_ action: @escaping @Sendable () -> Void) {
    add(.action(action))
  }

  private func add(_ errand: Errand) {
    let needsThread = LimitsMutex.withLock {
      errands.append(errand)
      if errands.count <= idleThreads {
        corinth_limits_wake(group)
        return false
      }
      if threads == Self.bound { return false }
      threads += 1
      return true
    }
    if needsThread { start() }
  }

  // MARK: - Threads

  private func start() {
    // SAFETY: the executors are never freed.
    let isStarted = unsafe corinth_thread_start(
      { threads in
        guard let threads = unsafe threads else { return nil }
        unsafe corinth_thread_set_name("corinth-limit")
        unsafe Unmanaged<LimitThreads>.fromOpaque(threads).takeUnretainedValue().runErrands()
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
    if isStarted { return }
    let isAlone = LimitsMutex.withLock {
      threads -= 1
      return threads == 0
    }
    // A running thread takes the errand otherwise.
    precondition(!isAlone, "LimitThreads: there is no thread for work that has a limit of time")
  }

  private func runErrands() {
    var generation = ForkHandlers.generation
    while let errand = next() {
      switch errand {
      case .job(let job): unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      case .action(let action): action()
      }
      if generation != ForkHandlers.generation {
        // The errand has forked the process: this is the child, where no thread is counted yet.
        generation = ForkHandlers.generation
        LimitsMutex.withLock { threads += 1 }
      }
    }
  }

  /// Blocks the calling thread until an errand comes.
  ///
  /// - Returns: `nil` when the thread is to end.
  private func next() -> Errand? {
    LimitsMutex.withLock {
      while errands.isEmpty {
        idleThreads += 1
        let isWoken = corinth_limits_wait(group, Self.patience)
        idleThreads -= 1
        if !isWoken, errands.isEmpty {
          threads -= 1
          return nil
        }
      }
      return errands.takeFirst()
    }
  }

  /// How long a thread stays idle, in nanoseconds.
  private static var patience: UInt64 { 5_000_000_000 }

  // MARK: - Fork

  /// The child has neither the threads nor the tasks. Nothing is destroyed, see `WaitForGraph`.
  private func forgetAfterFork() {
    unsafe withUnsafeMutablePointer(to: &errands) { unsafe $0.initialize(to: Errands()) }
    threads = 0
    idleThreads = 0
  }
}
