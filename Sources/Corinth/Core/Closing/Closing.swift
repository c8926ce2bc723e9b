// SPDX-License-Identifier: MIT

/// One disposal of the instances of one container.
///
/// The closer that claimed the container begins it on its own thread, and hands it to a task if there is something
/// to await.
// SAFETY: `kept` is only touched by the thread or task that carries the closing out; `isInTask` and `waits` with the
// mutex of the wait-for graph held, or in a child process just forked, which has one thread.
final class Closing: DisposalContext, ThreadSpare, @unchecked Sendable {
  /// How the work in the scope has ended.
  private(set) var outcome: ScopeOutcome
  /// The states to dispose of.
  var kept: [KeptState] = []
  /// The registrations of its container, if their order may not be that of completion alone.
  var registrations: EndingRegistrations?
  /// The versions of its container, which end with that.
  var versions: EndingVersions?
  /// Whether a task of its own carries it out: a thread of the pool that is blocked could keep that from running. The thread of
  /// a closer, which otherwise does, does not suspend: another thread may be blocked until it is done.
  var isInTask = false
  /// The callers that wait for its end.
  var waits: [ClosingWait] = []

  private init(outcome: ScopeOutcome) {
    self.outcome = outcome
    _ = ClosingEvents.isPrepared
    super.init()
  }

  // MARK: - Using it again

  static var kind: ThreadSpares.Kind { .closing }

  /// One that the calling thread has kept, if there is one, with a reference.
  static func begin(after outcome: ScopeOutcome) -> Unmanaged<Closing> {
    guard let spare = unsafe ThreadSpares.take(Closing.self) else {
      return unsafe Unmanaged.passRetained(Closing(outcome: outcome))
    }
    // SAFETY: nobody else refers to a spare.
    unsafe spare._withUnsafeGuaranteedRef {
      $0.outcome = outcome
      $0.begin()
    }
    return unsafe spare
  }

  /// Keeps one that has ended for the calling thread, with the caller's reference, if nobody else has one.
  ///
  /// - Parameter isUntouched: whether it has kept nothing, and nobody has waited for it.
  static func letGo(_ ended: Unmanaged<Closing>, isUntouched: Bool) {
    // SAFETY: the caller's reference.
    guard isUntouched, ThreadSpares.areKept, unsafe ThreadSpares.isUnshared(ended),
      unsafe ended._withUnsafeGuaranteedRef({ $0.isUntouched })
    else { return unsafe ended.release() }
    unsafe ended._withUnsafeGuaranteedRef {
      // An error may be the user's.
      $0.outcome = .completed
      $0.leaveNesting()
    }
    unsafe ThreadSpares.keep(ended)
  }

  // MARK: - The instances

  /// Takes these: the closing itself keeps no instance until its end.
  func takeKept() -> (states: [KeptState], registrations: EndingRegistrations?) {
    defer { (kept, registrations) = ([], nil) }
    return (kept, registrations)
  }

  /// Takes the versions, as ``takeKept()``.
  func takeVersions() -> EndingVersions? {
    defer { versions = nil }
    return versions
  }

  /// The states in which an instance was being built.
  var statesUnderConstruction: [InstanceState] {
    let states = kept.compactMap(\.stateUnderConstruction)
    return versions.map { $0.statesUnderConstruction + states } ?? states
  }

  /// Whether the calling thread cannot carry it out.
  var requiresTask: Bool { versions != nil || kept.contains(where: \.requiresTask) }

  /// Whether there is nothing to await.
  func awaitsNothing(timeLimits: TimeLimits) -> Bool {
    if versions != nil { return false }
    if kept.contains(where: { $0.stateUnderConstruction != nil || $0.requiresTask }) {
      return false
    }
    let isOnThread = timeLimits.areNone && timeLimits.areSequential
    return isOnThread || kept.allSatisfy { $0.disposable == nil }
  }

  override func forgetWaitsAfterFork() {
    unsafe withUnsafeMutablePointer(to: &waits) { unsafe $0.initialize(to: []) }
  }
}
