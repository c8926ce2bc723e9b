// SPDX-License-Identifier: MIT

internal import Synchronization

/// The disposal of one container's instances, as what the resolves in its disposers are nested in.
///
/// The threads and tasks that run disposers are a part of it, and so are tasks made there.
// SAFETY: `resolves` is only touched with the mutex of the wait-for graph held, or in a child process just forked,
// which has one thread. The rest is atomic.
class DisposalContext: @unchecked Sendable {
  /// The waits of resolves inside of the disposers.
  final private(set) var resolves: [ObjectIdentifier: Wait] = [:]

  /// The one around it, while it runs.
  // Set before it runs anything.
  private final var enclosing: DisposalContext?
  private let finished = Atomic<Bool>(false)
  private let hadWaits = Atomic<Bool>(false)
  private let forkGeneration = Atomic<UInt32>(ForkHandlers.generation)

  init() {}

  deinit { HeldLocks.assertNone(DisposalContext.self) }

  final func add(_ wait: Wait) {
    hadWaits.store(true, ordering: .relaxed)
    resolves[ObjectIdentifier(wait)] = wait
  }

  /// The caller holds the wait.
  final func remove(_ wait: Wait) { resolves[ObjectIdentifier(wait)] = nil }

  // MARK: - Nesting

  /// The unfinished disposals that the calling thread or task is a part of, innermost first.
  static var enclosing: [DisposalContext] {
    var disposals: [DisposalContext] = []
    var next = innermost
    while let disposal = next {
      disposals.append(disposal)
      next = disposal.enclosing?.ifUnfinished
    }
    return disposals
  }

  /// The first of these. A task that has outlived a disposal is not waited for by those around it.
  private static var innermost: DisposalContext? {
    guard hasRun.load(ordering: .relaxed),
      let address = unsafe TaskLocalStorage.address(ofValueDeclaredBy: $ofTask)
    else { return nil }
    // SAFETY: a value of the declared type, which is a reference, is bound there.
    return unsafe address.load(as: DisposalContext.self).ifUnfinished
  }

  private final var ifUnfinished: DisposalContext? { isFinished ? nil : self }

  /// Runs `body` as a part of this disposal, in the calling thread or task and the tasks made there.
  final func run<Result>(_ body: () -> Result) -> Result {
    nest()
    return Self.$ofTask.withValue(self, operation: body)
  }

  /// The same for an asynchronous body.
  nonisolated(nonsending)
    final func run<Result>(_ body: nonisolated(nonsending) () async -> Result) async -> Result
  {
    nest()
    return await Self.$ofTask.withValue(self, operation: body)
  }

  // MARK: - Using it again

  /// Whether no resolve has waited in it.
  final var isUntouched: Bool { !hadWaits.load(ordering: .relaxed) }

  /// Makes one that has ended as a new one. Nobody else refers to it.
  final func begin() {
    finished.store(false, ordering: .relaxed)
    forkGeneration.store(ForkHandlers.generation, ordering: .relaxed)
  }

  /// Lets go of what it was nested in.
  final func leaveNesting() { enclosing = nil }

  private final func nest() {
    enclosing = Self.innermost
    // Threads share it: it is written once.
    if !Self.hasRun.load(ordering: .relaxed) { Self.hasRun.store(true, ordering: .relaxed) }
  }

  /// Outside of tasks, the value of the thread. Not an optional, which takes three times as long to bind. The default is never
  /// looked at.
  @TaskLocal private static var ofTask = DisposalContext()

  /// A task-local value takes long to look up. A thread or task that has one has stored this before.
  private static let hasRun = Atomic<Bool>(false)

  // MARK: - End

  final var isFinished: Bool { finished.load(ordering: .acquiring) }

  final func markFinished() {
    // Pairs with the load in `isFinished`.
    finished.store(true, ordering: .releasing)
  }

  // MARK: - Fork

  /// Whether the thread or task that carries it out was left behind by a fork.
  final var isOrphaned: Bool {
    forkGeneration.load(ordering: .relaxed) != ForkHandlers.generation
  }

  /// In the child of a fork: the disposals that the forking thread is a part of go on. The threads and tasks that
  /// waited for them are gone. Their waits are not destroyed, as that would free memory in a child that may have
  /// been forked in the middle of an allocation.
  static func adoptRunningAfterFork() {
    for disposal in enclosing {
      disposal.forkGeneration.store(ForkHandlers.generation, ordering: .relaxed)
      unsafe withUnsafeMutablePointer(to: &disposal.resolves) { unsafe $0.initialize(to: [:]) }
      disposal.forgetWaitsAfterFork()
    }
  }

  /// For subclasses with waits of their own.
  func forgetWaitsAfterFork() {}

  /// Makes the variables that a child is going to read. Making them there could wait for a lock of the runtime.
  static func prepareForFork() {
    _ = (hasRun.load(ordering: .relaxed), ofTask)
  }
}
