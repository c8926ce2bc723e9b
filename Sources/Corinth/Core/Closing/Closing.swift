// SPDX-License-Identifier: MIT

/// A disposal of one container's instances.
///
/// The closer that claimed the container begins on its own thread; a task takes over to await.
@safe
// SAFETY: see the superclass; only the thread or task in charge touches the properties.
final class Closing: DisposalContext, ThreadSpare, @unchecked Sendable {
  /// How the work in the scope has ended.
  private(set) var outcome = ScopeOutcome.completed
  /// The states to dispose of.
  var kept: [KeptState] = []
  /// The container's registrations, if the order may differ from that of completion alone.
  var registrations: EndingRegistrations?
  /// The versions of the container, which end with it.
  var versions: EndingVersions?
  /// The wait of everything around the closer, while the closing awaits constructions.
  private var around: Wait?

  private init() {
    _ = WaitForGraph.isPrepared
    super.init()
  }

  // MARK: - Using it again

  static var kind: ThreadSpares.Kind { .closing }

  /// Everlasting closings beyond the lists of threads: a closing may begin on one thread, and end
  /// on another thread with a full list.
  // SAFETY: only touched with the mutex of the wait-for graph held.
  nonisolated(unsafe) private static var others: [Unmanaged<Closing>] = unsafe []

  /// A closing, with a reference, reused if one is kept.
  static func begin(after outcome: ScopeOutcome) -> Unmanaged<Closing> {
    let closing = unsafe takeSpare() ?? Unmanaged.passRetained(Closing())
    // SAFETY: nobody else refers to a spare or new closing.
    unsafe closing._withUnsafeGuaranteedRef {
      $0.outcome = outcome
      $0.begin()
    }
    return unsafe closing
  }

  /// A kept closing, the thread's own first, without further references: a task made by a disposer
  /// may be looking at an ended closing.
  @inline(__always)
  private static func takeSpare() -> Unmanaged<Closing>? {
    let spare = unsafe ThreadSpares.take(Closing.self)
    if let spare = unsafe spare, unsafe ThreadSpares.isUnshared(afterUse: spare) {
      return unsafe spare
    }
    return unsafe takeOther(leaving: spare)
  }

  @inline(never)
  private static func takeOther(leaving spare: Unmanaged<Closing>?) -> Unmanaged<Closing>? {
    unsafe WaitsMutex.withLock {
      let index = unsafe others.lastIndex { unsafe ThreadSpares.isUnshared(afterUse: $0) }
      if let spare = unsafe spare { unsafe others.append(spare) }
      return unsafe index.map { unsafe others.remove(at: $0) }
    }
  }

  /// Gives up the caller's reference to an ended closing, or keeps the closing with the reference.
  static func letGo(_ ended: Unmanaged<Closing>) {
    // SAFETY: the caller's reference.
    let isEverlasting = unsafe ended._withUnsafeGuaranteedRef {
      // An error may be the user's.
      $0.outcome = .completed
      return $0.isEverlasting
    }
    if !isEverlasting { return unsafe ended.release() }
    if unsafe ThreadSpares.keepIfRoom(ended) { return }
    WaitsMutex.withLock { unsafe others.append(ended) }
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
    if requiresTask || kept.contains(where: { $0.stateUnderConstruction != nil }) { return false }
    let isOnThread = timeLimits.areNone && timeLimits.areSequential
    return isOnThread || kept.allSatisfy { $0.disposable == nil }
  }
}
