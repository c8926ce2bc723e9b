// SPDX-License-Identifier: MIT

internal import Synchronization

/// The disposal of a container's instances, as the context of resolves in the disposers.
///
/// The threads and tasks that run disposers belong to the disposal, and so do tasks made there.
// SAFETY: `waits`, `waiters`, `awaitedStates` and `isInTask` are only touched with the mutex of the
// wait-for graph held, or in a child process just forked, which has one thread. The rest is atomic.
class DisposalContext: @unchecked Sendable {
  enum Purpose {
    /// To end a container.
    case closing
    /// To end instances that a reload has made in vain. The reload waits for the disposal.
    case reload
    /// To end instances that a reload has replaced. No reload waits for the disposal.
    case replacement
  }

  final let purpose: Purpose
  /// The versions of the container that was reloaded; `nil` for a closing.
  final let reloaded: ContainerVersions?
  /// The waits inside of the disposal.
  final private(set) var waits: [ObjectIdentifier: Wait] = [:]
  /// The waits for the end of the disposal.
  final var waiters: [ObjectIdentifier: Wait] = [:]
  /// The states of constructions whose ends the disposal awaits, one after another.
  final var awaitedStates: [InstanceState] = []
  /// Whether a task carries the disposal out, perhaps in need of a blocked thread of the pool.
  /// Otherwise the closer's thread does, without suspension, since threads may be blocked until the
  /// end of the closing.
  final var isInTask = false

  /// The disposal around, while this disposal runs.
  // Set before anything runs in it.
  private final var enclosing: DisposalContext?
  private let finished = Atomic<Bool>(false)
  private let hadWaits = Atomic<Bool>(false)
  private let forkGeneration = Atomic<UInt32>(ForkHandlers.generation)

  init(_ purpose: Purpose = .closing, of reloaded: ContainerVersions? = nil) {
    (self.purpose, self.reloaded) = (purpose, reloaded)
  }

  deinit { HeldLocks.assertNone(DisposalContext.self) }

  final func add(_ wait: Wait) {
    hadWaits.store(true, ordering: .relaxed)
    waits[ObjectIdentifier(wait)] = wait
  }

  /// The caller holds the wait.
  final func remove(_ wait: Wait) { waits[ObjectIdentifier(wait)] = nil }

  // MARK: - Nesting

  /// The unfinished disposals of the calling thread or task, innermost first.
  static var enclosing: [DisposalContext] {
    var disposals: [DisposalContext] = []
    var next = innermost
    while let disposal = next {
      disposals.append(disposal)
      next = disposal.enclosing?.ifUnfinished
    }
    return disposals
  }

  /// The first of ``enclosing``; `nil` in a task that has outlived the disposal, for which the
  /// disposals around do not wait either.
  private static var innermost: DisposalContext? {
    hasRun.load(ordering: .relaxed) ? innermost($ofTask) : nil
  }

  private static func innermost(_ ofTask: TaskLocal<DisposalContext>) -> DisposalContext? {
    guard let address = unsafe TaskLocalStorage.address(ofValueDeclaredBy: ofTask) else {
      return nil
    }
    // SAFETY: a value of the declared type, a reference, is bound at the address.
    return unsafe address.load(as: DisposalContext.self).ifUnfinished
  }

  private final var ifUnfinished: DisposalContext? {
    finished.load(ordering: .acquiring) ? nil : self
  }

  /// Runs `body` in the disposal, on the calling thread or task and in tasks made there.
  final func run<Result>(_ body: () -> Result) -> Result {
    let ofTask = Self.$ofTask
    nest(ofTask)
    return ofTask.withValue(self, operation: body)
  }

  /// As ``run(_:)``, for an asynchronous body.
  nonisolated(nonsending)
    final func run<Result>(_ body: nonisolated(nonsending) () async -> Result) async -> Result
  {
    let ofTask = Self.$ofTask
    nest(ofTask)
    return await ofTask.withValue(self, operation: body)
  }

  // MARK: - Using it again

  /// Whether nobody has waited in the disposal.
  final var isUntouched: Bool { !hadWaits.load(ordering: .relaxed) }

  /// Renews an ended disposal. Nobody else refers to the object.
  final func begin() {
    finished.store(false, ordering: .relaxed)
    forkGeneration.store(ForkHandlers.generation, ordering: .relaxed)
  }

  /// Releases the enclosing disposal.
  final func leaveNesting() { enclosing = nil }

  private final func nest(_ ofTask: TaskLocal<DisposalContext>) {
    if Self.hasRun.load(ordering: .relaxed) {
      enclosing = Self.innermost(ofTask)
    } else {
      // Threads share the flag: a single write.
      Self.hasRun.store(true, ordering: .relaxed)
    }
  }

  /// Outside of tasks, the value of the thread. Not an optional, which takes three times as long to
  /// bind. The default is never read.
  @TaskLocal private static var ofTask = DisposalContext()

  /// Looking up a task-local value takes long. A thread or task with a value has set this.
  private static let hasRun = Atomic<Bool>(false)

  // MARK: - End

  final func markFinished() {
    // Pairs with the load in `ifUnfinished`.
    finished.store(true, ordering: .releasing)
  }

  // MARK: - Fork

  /// Whether a fork left the disposing thread or task behind.
  final var isOrphaned: Bool {
    forkGeneration.load(ordering: .relaxed) != ForkHandlers.generation
  }

  /// In the child of a fork: disposals around the forking thread go on. The threads and tasks that
  /// waited for them are gone. The waits are not destroyed, as that would free memory in a child
  /// possibly forked in the middle of an allocation.
  static func adoptRunningAfterFork() {
    for disposal in enclosing {
      disposal.forkGeneration.store(ForkHandlers.generation, ordering: .relaxed)
      unsafe withUnsafeMutablePointer(to: &disposal.waits) { unsafe $0.initialize(to: [:]) }
      unsafe withUnsafeMutablePointer(to: &disposal.waiters) { unsafe $0.initialize(to: [:]) }
      unsafe withUnsafeMutablePointer(to: &disposal.awaitedStates) { unsafe $0.initialize(to: []) }
    }
  }

  /// Makes the variables read in a child, where making them could wait for a lock of the runtime.
  static func prepareForFork() {
    _ = (hasRun.load(ordering: .relaxed), ofTask)
  }
}
