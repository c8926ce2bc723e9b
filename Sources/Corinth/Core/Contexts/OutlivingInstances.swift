// SPDX-License-Identifier: MIT

internal import Synchronization

/// An instance that may outlive its scope.
// SAFETY: the weak reference to the object is only compared with `nil`.
struct OutlivingInstance: @unchecked Sendable {
  weak var object: AnyObject?
  let instance: UndisposedInstance
}

/// The instances of recently closed scopes. A single task looks at all until none are left.
///
/// Guarded by the mutex of the wait-for graph, which is free at every fork of the process.
enum OutlivingInstances {
  static let handler = ReportHandler<UndisposedReport>()

  /// How long an instance may outlive its scope unreported.
  static var delay: Duration {
    get { .nanoseconds(nanosecondsOfDelay.load(ordering: .relaxed)) }
    set { nanosecondsOfDelay.store(Int64(newValue.wholeNanoseconds), ordering: .relaxed) }
  }

  private static let nanosecondsOfDelay = Atomic<Int64>(5_000_000_000)

  private struct Batch: Sendable {
    var due: ContinuousClock.Instant
    let instances: [OutlivingInstance]
    let scopeLocation: SourceLocation
    var looks = 0
  }

  // SAFETY, of both: only touched with the mutex of the wait-for graph held.
  nonisolated(unsafe) private static var batches: [Batch] = []
  /// The process whose task looks, named by the number of forks before; `nil` for none.
  nonisolated(unsafe) private static var watchingGeneration: UInt32?

  /// Reports instances of a scope that still exist after some time.
  static func watch(_ instances: [OutlivingInstance], ofScopeAt location: SourceLocation) {
    if instances.isEmpty { return }
    add([Batch(due: .now + delay, instances: instances, scopeLocation: location)])
  }

  /// Whether there are instances to look at.
  static var areWatched: Bool {
    WaitsMutex.withLock { unsafe watchingGeneration == ForkHandlers.generation }
  }

  private static func add(_ added: [Batch]) {
    let begins = WaitsMutex.withLock {
      unsafe batches += added
      defer { unsafe watchingGeneration = ForkHandlers.generation }
      return unsafe watchingGeneration != ForkHandlers.generation
    }
    if begins { Task.detached { await look() } }
  }

  private static func look() async {
    while let pause = lookOnce() {
      // The task is never cancelled.
      try? await Task.sleep(for: pause, clock: .continuous)
    }
  }

  /// - Returns: the time until the next look; `nil` without anything left to look at.
  private static func lookOnce() -> Duration? {
    let now = ContinuousClock.now
    let due = take(dueAt: now)
    if !due.isEmpty { report(due) }
    return WaitsMutex.withLock {
      guard let next = unsafe batches.map(\.due).min() else {
        unsafe watchingGeneration = nil
        return nil
      }
      // One look for batches due at about the same time.
      return max(now.duration(to: next), delay / 100)
    }
  }

  private static func take(dueAt now: ContinuousClock.Instant) -> [Batch] {
    WaitsMutex.withLock {
      // A key may have a name of the user's, whose deinit is not to run here.
      defer { unsafe batches.removeAll { $0.due <= now } }
      return unsafe batches.filter { $0.due <= now }
    }
  }

  private static func report(_ due: [Batch]) {
    // Retired objects, no longer visible to readers, still refer to instances until reclaimed.
    Reclamation.reclaimAll()
    var again: [Batch] = []
    for var batch in due where batch.instances.contains(where: { $0.object != nil }) {
      if Reclamation.counts.pending > 0, batch.looks < looksAtMost {
        batch.looks += 1
        batch.due = .now + delay
        again.append(batch)
        continue
      }
      guard let handler = handler.value else { return }
      // Any instance may have ended since the look above.
      let outliving = batch.instances.filter { $0.object != nil }.map(\.instance)
      if outliving.isEmpty { continue }
      handler(
        UndisposedReport(
          cause: .scopeOutlived(madeAt: batch.scopeLocation), instances: outliving))
    }
    if !again.isEmpty { add(again) }
  }

  /// A reader may delay the reclaiming for longer, and is not waited for.
  private static var looksAtMost: Int { 3 }
}
