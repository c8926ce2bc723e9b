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
  final var waits: [ObjectIdentifier: Wait] = [:]
  /// The waits for the end of the disposal.
  final var waiters: [ObjectIdentifier: Wait] = [:]
  /// The states of constructions whose ends the disposal awaits, one after another.
  final var awaitedStates: [InstanceState] = []
  /// Whether a task carries the disposal out, perhaps in need of a blocked thread of the pool.
  /// Otherwise the closer's thread does, without suspension, since threads may be blocked until the
  /// end of the closing.
  final var isInTask = false

  private let finished = Atomic<Bool>(false)
  /// How often the disposal was used again.
  private let useNumber = Atomic<UInt64>(0)
  /// Whether tasks may have the disposal's address, and so the disposal must not be deallocated.
  private(set) final var isEverlasting = false
  private let forkGeneration = Atomic<UInt32>(ForkHandlers.generation)

  init(_ purpose: Purpose = .closing, of reloaded: ContainerVersions? = nil) {
    (self.purpose, self.reloaded) = (purpose, reloaded)
  }

  deinit { HeldLocks.assertNone(DisposalContext.self) }

  // MARK: - Nesting

  /// The unfinished disposals of the calling thread or task, innermost first. None in a task that
  /// has outlived the innermost, for which the disposals around do not wait either.
  static var enclosing: [DisposalContext] {
    (hasRun.load(ordering: .relaxed) ? enclosing($ofTask) : nil) ?? []
  }

  private static func enclosing(_ ofTask: TaskLocal<Membership>) -> [DisposalContext]? {
    guard let address = unsafe TaskLocalStorage.address(ofValueDeclaredBy: ofTask) else {
      return nil
    }
    // SAFETY: a value of the declared type is bound at the address.
    let membership = unsafe address.load(as: Membership.self)
    guard let innermost = membership.unfinished else { return nil }
    return [innermost] + (membership.around ?? []).prefix { $0.ifUnfinished != nil }
  }

  /// One use of a disposal, as that of which a thread or task is a part.
  @safe
  // SAFETY: a disposal without a counted reference is never deallocated.
  private struct Membership: @unchecked Sendable {
    var counted: DisposalContext?
    /// A disposal used again, at +0: counting a reference takes two locked instructions. Tasks made
    /// in the disposal may outlive the use.
    var uncounted: Unmanaged<DisposalContext>?
    var useNumber: UInt64 = 0
    /// The disposals around, innermost first; `nil` for none, which takes no count.
    var around: [DisposalContext]?

    /// `nil` once the use is over.
    var unfinished: DisposalContext? {
      let found = unsafe counted ?? uncounted.map { unsafe ThreadSpares.reference(toUsedAgain: $0) }
      guard let disposal = found?.ifUnfinished else { return nil }
      // A further use stores the number first.
      return disposal.useNumber.load(ordering: .relaxed) == useNumber ? disposal : nil
    }
  }

  private final var ifUnfinished: DisposalContext? {
    finished.load(ordering: .acquiring) ? nil : self
  }

  /// Runs `body` in the disposal, on the calling thread and in tasks made there. From then on, the
  /// caller keeps an everlasting disposal.
  final func run<Result>(_ body: () -> Result) -> Result {
    isEverlasting = ThreadSpares.areKept
    let ofTask = Self.$ofTask
    return ofTask.withValue(join(ofTask, isCounted: !isEverlasting), operation: body)
  }

  /// Runs `body` in the disposal, in the calling task and in tasks made there.
  nonisolated(nonsending)
    final func run<Result>(_ body: nonisolated(nonsending) () async -> Result) async -> Result
  {
    let ofTask = Self.$ofTask
    return await ofTask.withValue(join(ofTask, isCounted: true), operation: body)
  }

  private final func join(_ ofTask: TaskLocal<Membership>, isCounted: Bool) -> Membership {
    // Threads share the flag: a single write.
    if !Self.hasRun.load(ordering: .relaxed) { Self.hasRun.store(true, ordering: .relaxed) }
    return unsafe Membership(
      counted: isCounted ? self : nil, uncounted: isCounted ? nil : .passUnretained(self),
      useNumber: useNumber.load(ordering: .relaxed), around: Self.enclosing(ofTask))
  }

  // MARK: - Using it again

  /// Renews an ended disposal. Nobody else refers to the object: no wait does.
  final func begin() {
    isInTask = false
    useNumber.store(useNumber.load(ordering: .relaxed) + 1, ordering: .relaxed)
    // Pairs with the load in `ifUnfinished`.
    finished.store(false, ordering: .releasing)
    forkGeneration.store(ForkHandlers.generation, ordering: .relaxed)
  }

  /// Outside of tasks, the value of the thread. Not an optional, which takes three times as long to
  /// bind. The default is never read.
  @TaskLocal private static var ofTask = Membership()

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
