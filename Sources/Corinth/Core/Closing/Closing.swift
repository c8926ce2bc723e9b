// SPDX-License-Identifier: MIT

/// A disposal of one container's instances.
///
/// The closer that claimed the container begins on its own thread; a task takes over to await.
// SAFETY: see the superclass; only the thread or task in charge touches the properties.
final class Closing: DisposalContext, ThreadSpare, @unchecked Sendable {
  /// How the work in the scope has ended.
  private(set) var outcome: ScopeOutcome
  /// The states to dispose of.
  var kept: [KeptState] = []
  /// The container's registrations, if the order may differ from that of completion alone.
  var registrations: EndingRegistrations?
  /// The versions of the container, which end with it.
  var versions: EndingVersions?
  /// The wait of everything around the closer, while the closing awaits constructions.
  private var around: Wait?

  private init(outcome: ScopeOutcome) {
    self.outcome = outcome
    _ = WaitForGraph.isPrepared
    super.init()
  }

  // MARK: - Using it again

  static var kind: ThreadSpares.Kind { .closing }

  /// A closing, with a reference, reused if the calling thread has kept a spare.
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

  /// Keeps an ended closing as the thread's spare, with the caller's reference, if the only one.
  ///
  /// - Parameter isUntouched: whether the closing kept nothing, and had no waiters.
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

  /// Takes the states: the closing itself keeps no instance until its end.
  func takeKept() -> (states: [KeptState], registrations: EndingRegistrations?) {
    defer { (kept, registrations) = ([], nil) }
    return (kept, registrations)
  }

  /// Takes the versions, as ``takeKept()``.
  func takeVersions() -> EndingVersions? {
    defer { versions = nil }
    return versions
  }

  /// Notes the constructions under way, awaited one after another, and a wait of everything around
  /// the caller for the closing. Called before a task takes over, for which the pool may have no
  /// thread.
  func beginAwaiting() {
    var states = kept.compactMap(\.stateUnderConstruction)
    if let versions { states += versions.kept.compactMap(\.stateUnderConstruction) }
    if !states.isEmpty { around = WaitForGraph.begin(self, awaiting: states) }
  }

  /// Ends a ``beginAwaiting()``.
  func endAwaiting() {
    guard let wait = around.take() else { return }
    WaitForGraph.end(self, awaitingIn: wait)
  }

  /// Whether the calling thread cannot carry the closing out.
  var requiresTask: Bool { versions != nil || kept.contains { $0.requiresTask } }

  /// Whether nothing must be awaited.
  func awaitsNothing(timeLimits: TimeLimits) -> Bool {
    if versions != nil { return false }
    if kept.contains(where: { $0.stateUnderConstruction != nil || $0.requiresTask }) {
      return false
    }
    let isOnThread = timeLimits.areNone && timeLimits.areSequential
    return isOnThread || kept.allSatisfy { $0.disposable == nil }
  }
}
