// SPDX-License-Identifier: MIT

internal import CCorinth
internal import Synchronization

/// One disposal of the instances of one container.
///
/// The closer that claimed the container begins it on its own thread, and hands it to a task if there is something
/// to await. The threads and tasks that run its disposers are a part of it, and so are tasks made there.
// SAFETY: `kept` is only touched by the thread or task that carries the closing out; `runner`, `waits` and
// `resolves` with the mutex of the wait-for graph held, or in a child process just forked, which has one
// thread. The rest is atomic.
final class Closing: @unchecked Sendable {
  /// The carrier of a closing.
  enum Runner {
    /// The thread of a closer, which does not suspend. Another thread may be blocked until it is done.
    case thread
    /// A task of its own. A thread of the pool that is blocked could keep it from running.
    case task
  }

  private var kept: [KeptState] = []
  var runner = Runner.thread
  /// The callers that wait for its end.
  var waits: [ClosingWait] = []
  /// The waits of resolves inside of its disposers.
  var resolves: [Wait] = []

  private let finished = Atomic<Bool>(false)
  private let forkGeneration = Atomic<UInt32>(corinth_fork_generation())

  // MARK: - The instances

  /// Hands over the states to dispose of.
  func keep(_ kept: [KeptState]) {
    self.kept = kept
  }

  /// Takes the states to dispose of: the closing itself keeps no instance until its end.
  func takeKept() -> [KeptState] {
    defer { kept = [] }
    return kept
  }

  /// The states in which an instance was being built.
  var statesUnderConstruction: [InstanceState] {
    var states: [InstanceState] = []
    for each in kept where each.isUnderConstruction { states.append(each.state) }
    return states
  }

  /// Whether the calling thread cannot carry it out.
  var requiresTask: Bool { kept.contains(where: \.requiresTask) }

  /// Whether there is nothing to await.
  func awaitsNothing(timeLimit: Duration?) -> Bool {
    if kept.contains(where: { $0.isUnderConstruction || $0.requiresTask }) { return false }
    return timeLimit == nil || kept.allSatisfy { $0.disposable == nil }
  }

  // MARK: - Being a part of it

  /// The unfinished closings that the calling thread or task is a part of, innermost first.
  static var enclosing: [Closing] {
    guard hasRun.load(ordering: .relaxed) else { return [] }
    let closings = ofTask
    // A task that has outlived one of them is not waited for by those around it.
    return closings.isEmpty ? [] : Array(closings.prefix { !$0.isFinished })
  }

  /// Runs `body` as a part of this closing, in the calling thread or task and the tasks made there.
  func run<Result>(_ body: () -> Result) -> Result {
    Self.$ofTask.withValue(enclosedByCaller, operation: body)
  }

  /// As the synchronous one.
  nonisolated(nonsending)
    func run<Result>(_ body: nonisolated(nonsending) () async -> Result) async -> Result
  {
    await Self.$ofTask.withValue(enclosedByCaller, operation: body)
  }

  private var enclosedByCaller: [Closing] {
    let enclosing = Self.enclosing
    Self.hasRun.store(true, ordering: .relaxed)
    return enclosing.isEmpty ? [self] : [self] + enclosing
  }

  /// Outside of tasks, the value of the thread.
  @TaskLocal private static var ofTask: [Closing] = []

  /// A task-local value takes long to look up. A thread or task that has one has stored this before.
  private static let hasRun = Atomic<Bool>(false)

  // MARK: - End

  var isFinished: Bool { finished.load(ordering: .acquiring) }

  func markFinished() {
    finished.store(true, ordering: .releasing)
  }

  // MARK: - Fork

  /// Whether the thread or task that carries it out was left behind by a fork.
  var isOrphaned: Bool {
    forkGeneration.load(ordering: .relaxed) != corinth_fork_generation()
  }

  /// In the child of a fork: the closings that the forking thread is a part of go on. The threads and tasks that
  /// waited for them are gone; see `WaitForGraph` for why the waits are not destroyed.
  static func adoptRunningAfterFork() {
    for closing in ofTask where !closing.isFinished {
      closing.forkGeneration.store(corinth_fork_generation(), ordering: .relaxed)
      unsafe withUnsafeMutablePointer(to: &closing.waits) { unsafe $0.initialize(to: []) }
      unsafe withUnsafeMutablePointer(to: &closing.resolves) { unsafe $0.initialize(to: []) }
    }
  }

  /// Makes the variables that a child is going to read. Making them there could wait for a lock of the runtime.
  static func prepareForFork() {
    _ = (hasRun.load(ordering: .relaxed), ofTask.count)
  }
}
