// SPDX-License-Identifier: MIT

/// The versions of an ending container, which end in its closing, see ``ContainerVersions``.
///
/// Versions and container serve nothing from the beginning of the end on: all their slots are
/// emptied before any wait.
// SAFETY: only touched by the thread or task that carries the closing out.
final class EndingVersions: @unchecked Sendable {
  private struct Version {
    let layer: ContainerLayer
    /// Whether the container's closing is also the layer's.
    let isClaimed: Bool
    /// Whether a different closing of the layer began before.
    var isEndedByOther: Bool { !isClaimed && !isLate }
    /// Whether the layer belongs to a reload that failed too late, and closes the layer.
    var isLate = false
    var registrations: EndingRegistrations?
    var kept: [KeptState] = []
  }

  private let versions: ContainerVersions
  /// The newest version first: older versions never depend on newer ones.
  private var all: [Version]
  /// The last disposal after a reload, unless the disposal may wait for the caller.
  private let disposal: Task<Void, any Error>?
  /// The instances taken over from disposals.
  private var left: [any TakenForDisposal] = []
  /// Whether to await the reload under way: not for a caller inside a construction or disposal, for
  /// which the reload may be waiting.
  private let awaitsReload: Bool

  /// Seals the versions; `nil` if the container has none.
  ///
  /// - Parameter closing: the container's closing, which waits for the ends of the versions.
  init?(of base: ContainerCore, endingBy closing: Closing) {
    guard let versions = base.versionsIfMade else { return nil }
    self.versions = versions
    awaitsReload = !DisposalContext.mayBlockReloads
    let (layers, staged, disposal) = versions.beginEnding()
    self.disposal = Self.await(callerInside: base) ? nil : disposal
    // A reload, if awaited, disposes of everything it has made.
    let ending = layers + (awaitsReload ? [] : [staged].compactMap { $0 })
    all = ending.reversed().compactMap { layer in
      // A layer without anything to dispose of has ended.
      guard layer.core.sealForDisposal() else { return nil }
      let isClaimed = unsafe layer.core.closingState.claim(.passRetained(closing))
      if !isClaimed { unsafe Unmanaged.passUnretained(closing).release() }
      return Version(
        layer: layer, isClaimed: isClaimed,
        registrations: closing.registrations != nil || DeferredDependencies.mayExist(in: layer.core)
          ? EndingRegistrations(of: layer.core, within: closing.registrations) : nil)
    }
  }

  /// Takes all instances kept by the versions. The container has none of them.
  func takeKeptStates() {
    for index in all.indices where all[index].isClaimed {
      all[index].kept = all[index].layer.core.takeKeptStates()
    }
  }

  /// The instances kept by all versions.
  var kept: [KeptState] { all.flatMap(\.kept) }

  // MARK: - In the task of the closing

  /// Waits for the reload under way, which fails, and for the last disposal of an earlier reload.
  ///
  /// - Returns: failures for work that took too long, and is left behind.
  func awaitReloads(_ timeLimits: RunningTimeLimits) async -> [DisposalFailure] {
    let failures = await failures(awaitingReloads: timeLimits)
    left = await versions.disposals.takeOver()
    if let staged = versions.staged, !all.contains(where: { $0.layer === staged }) {
      all.insert(Version(layer: staged, isClaimed: false, isLate: true), at: 0)
    }
    for index in all.indices { all[index].kept += leftInstances(of: all[index].layer.core) }
    return failures
  }

  /// The instances of a container taken over from disposals.
  func leftInstances(of core: ContainerCore) -> [KeptState] {
    left.filter { $0.container === core }.flatMap(\.kept)
  }

  private func failures(awaitingReloads timeLimits: RunningTimeLimits) async -> [DisposalFailure] {
    var failures: [DisposalFailure] = []
    let versions = versions
    if awaitsReload,
      let error = await timeLimits.exceeded(waitingFor: { await versions.waitForReload() })
    {
      failures += versions.staged.map { Self.failures(of: error, in: $0.core) } ?? []
    }
    guard let disposal else { return failures }
    while true {
      let step = versions.disposals.step
      guard let error = await timeLimits.exceeded(waitingFor: { _ = await disposal.result })
      else { return failures }
      let reached = versions.disposals.step
      // Every disposer has its own time.
      if reached.number != step.number, !timeLimits.areOver { continue }
      disposal.cancel()
      if let failure = reached.place?.failure(error) { failures.append(failure) }
      return failures
    }
  }

  /// Waits for constructions. Instances not settled in time are disposed of later.
  func settle(
    _ timeLimits: RunningTimeLimits, since begin: ContinuousClock.Instant,
    after outcome: ScopeOutcome, _ failures: inout [DisposalFailure]
  ) async {
    for index in all.indices {
      all[index].kept = await all[index].layer.core.settle(
        all[index].kept, timeLimits, since: begin, after: outcome, &failures)
    }
  }

  /// Disposes of the instances of all versions.
  func dispose(
    after outcome: ScopeOutcome, _ timeLimits: RunningTimeLimits
  ) async -> [DisposalFailure] {
    var failures: [DisposalFailure] = []
    for index in all.indices {
      let core = all[index].layer.core
      let kept = all[index].kept
      all[index].kept = []
      failures += await kept.dispose(
        in: core, among: all[index].registrations, after: outcome, timeLimits)
      if all[index].isClaimed {
        core.letInstancesGo()
      } else if all[index].isEndedByOther {
        _ = await timeLimits.exceeded(waitingFor: {
          await WaitForGraph.waitAsync(forClosingOf: core)
        })
      }
    }
    return failures
  }

  /// Releases the instances taken over, after all disposals.
  func letGoOfLeftInstances() {
    for instances in left { instances.letGo() }
    left = []
  }

  /// Ends the closing of the versions, just before the container's.
  ///
  /// - Returns: whether callers may be waiting for the closing.
  func finish(_ closing: Unmanaged<Closing>) -> Bool {
    var isAwaited = false
    for version in all where version.isClaimed {
      version.layer.core.noteEndOfScope()
      if version.layer.core.closingState.finish() { isAwaited = true }
      unsafe closing.release()
    }
    return isAwaited
  }
}

extension EndingVersions {
  /// Whether the caller is a part of the disposal after a reload, or of a construction awaited by
  /// such a disposal, so that the end of the base waits for the caller. In a version: only once the
  /// end of the base, which ends the version, has begun. Out of line: ends of scopes stay short.
  @inline(never)
  static func await(callerInside container: ContainerCore) -> Bool {
    let base = container.baseOfLayer ?? container
    guard let versions = base.versionsIfMade, base === container || versions.isEnding else {
      return false
    }
    return Construction.isBuilding(for: base)
      || DisposalContext.enclosing.contains { $0.reloaded === versions }
  }

  /// The late work of a reload that makes a version: constructions, or the reload itself.
  private static func failures(
    of error: TimeLimitExceeded, in core: ContainerCore
  ) -> [DisposalFailure] {
    let error = TimeLimitExceeded(limit: error.limit, wasBegun: true, of: .construction)
    let failures = core.recordsUnderConstruction.map { DisposalFailure($0, error) }
    if !failures.isEmpty { return failures }
    // The location of the registration made last shows how far the closure came.
    guard let last = core.registrations().max(by: { $0.serial < $1.serial }) else { return [] }
    return [
      DisposalFailure(last, TimeLimitExceeded(limit: error.limit, wasBegun: true, of: .reload))
    ]
  }
}

extension DisposalStep.Place {
  fileprivate func failure(_ error: TimeLimitExceeded) -> DisposalFailure {
    let error = TimeLimitExceeded(
      limit: error.limit, wasBegun: true, of: isConstruction ? .construction : .disposer)
    return DisposalFailure(key: key, location: location, error: error)
  }
}

extension DisposalContext {
  /// Whether a reload may wait for the caller, who is inside of a construction or of a disposal. No
  /// reload waits for the disposals of earlier reloads.
  static var mayBlockReloads: Bool {
    DisposalContext.enclosing.contains { $0.purpose != .replacement }
      || ResolutionContext.blockedChain(of: ResolutionContext.innermost(requestedBy: nil))
        .contains { $0.asConstruction != nil }
  }

  /// Runs `body` in the disposal, which ends with `body`.
  final func runToEnd<Result>(_ body: nonisolated(nonsending) () async -> Result) async -> Result {
    let result = await run(body)
    markFinished()
    return result
  }
}
