// SPDX-License-Identifier: MIT

/// The versions of a container that ends: they end with it, in one closing, see ``ContainerVersions``.
///
/// Neither they nor the container serve anything from the beginning of the end on. So the slots of all of them are
/// emptied before anything is waited for.
// SAFETY: only touched by the thread or task that carries the closing out.
final class EndingVersions: @unchecked Sendable {
  private struct Version {
    let layer: ContainerLayer
    /// Whether this closing is that of the layer.
    let isClaimed: Bool
    /// Whether another one is, which has begun before.
    var isEndedByOther: Bool { !isClaimed && !isLate }
    /// Whether this is the layer of a reload that has failed too late, and closes it.
    var isLate = false
    var registrations: EndingRegistrations?
    var kept: [KeptState] = []
  }

  private let versions: ContainerVersions
  /// The newest one first: what is older does not depend on what is newer.
  private var all: [Version]
  /// The last disposal after a reload, unless the caller is a part of what that waits for.
  private let disposal: Task<Void, any Error>?
  /// The instances that this takes over from disposals.
  private var left: [TakenInstances] = []
  /// Whether the reload under way is waited for. It may wait for a caller that is a part of a construction or a disposal.
  private let awaitsReload: Bool

  /// Seals the versions; `nil` if the container has none.
  ///
  /// - Parameters:
  ///   - closing: that of the container, which waits for its versions' ends.
  ///   - isSequential: whether only the order of disposers is asked for.
  init?(of base: ContainerCore, endingBy closing: Closing, isSequential: Bool) {
    guard let versions = base.versionsIfMade else { return nil }
    self.versions = versions
    awaitsReload = !ClosingContext.current.isAwaitedByReloads
    let (layers, staged, disposal) = versions.beginEnding()
    self.disposal = base.isAwaitedByDisposalsOfVersions ? nil : disposal
    // A reload that is waited for disposes of what it has made.
    let ending = layers + (awaitsReload ? [] : [staged].compactMap { $0 })
    all = ending.reversed().compactMap { layer in
      // Those that have nothing to dispose of have ended.
      guard layer.core.sealForDisposal() else { return nil }
      let reference = unsafe Unmanaged.passRetained(closing)
      return Version(
        layer: layer, isClaimed: unsafe layer.core.closingState.claim(reference),
        registrations: !isSequential || layer.core.mayHaveDeferredDependencies
          ? EndingRegistrations(of: layer.core, within: closing.registrations) : nil)
    }
  }

  /// Takes all that the versions keep out. Their container has none of it.
  func takeKeptStates() {
    for index in all.indices where all[index].isClaimed {
      all[index].kept = all[index].layer.core.takeKeptStates()
    }
  }

  var statesUnderConstruction: [InstanceState] {
    all.flatMap { $0.kept.compactMap(\.stateUnderConstruction) }
  }

  // MARK: - In the task of the closing

  /// Waits for the reload under way, which fails, and for the disposal of what earlier ones have replaced.
  ///
  /// - Returns: what has taken too long, and is left behind.
  func awaitReloads(_ timeLimits: RunningTimeLimits) async -> [DisposalFailure] {
    let failures = await failures(awaitingReloads: timeLimits)
    left = await versions.disposals.takeOver().compactMap { $0 as? TakenInstances }
    if let staged = versions.staged, !all.contains(where: { $0.layer === staged }) {
      all.insert(Version(layer: staged, isClaimed: false, isLate: true), at: 0)
    }
    for index in all.indices { all[index].kept += leftInstances(of: all[index].layer.core) }
    return failures
  }

  /// The instances of one container that this takes over from disposals.
  func leftInstances(of core: ContainerCore) -> [KeptState] {
    left.filter { $0.container === core }.flatMap(\.kept)
  }

  private func failures(awaitingReloads timeLimits: RunningTimeLimits) async -> [DisposalFailure] {
    var failures: [DisposalFailure] = []
    let versions = versions
    if awaitsReload,
      let error = await timeLimits.exceeded(waitingFor: { await versions.waitForReload() })
    {
      failures += versions.staged?.core.failures(of: error) ?? []
    }
    guard let disposal else { return failures }
    while true {
      let step = versions.disposals.step
      guard let error = await timeLimits.exceeded(waitingFor: { _ = await disposal.result })
      else { return failures }
      let reached = versions.disposals.step
      // Each disposer has its time.
      if reached.number != step.number, !timeLimits.areOver { continue }
      disposal.cancel()
      if let failure = reached.place?.failure(error) { failures.append(failure) }
      return failures
    }
  }

  /// Waits for constructions. The instances that are not settled in time are disposed of later.
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
        among: all[index].registrations, after: outcome, timeLimits)
      if all[index].isClaimed {
        core.letInstancesGo()
      } else if all[index].isEndedByOther {
        _ = await timeLimits.exceeded(waitingFor: { await ClosingEvents.waitAsync(for: core) })
      }
    }
    return failures
  }

  /// Lets go of what was taken over, when all has been disposed of.
  func letGoOfLeftInstances() {
    for instances in left { instances.letGo() }
    left = []
  }

  /// Ends the closing of the versions, just before that of their container.
  ///
  /// - Returns: whether others may wait for it.
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

extension ContainerCore {
  /// The work of a late reload that makes this version: the constructions under way, or else the reload itself.
  fileprivate func failures(of error: TimeLimitExceeded) -> [DisposalFailure] {
    let error = TimeLimitExceeded(limit: error.limit, wasBegun: true, of: .construction)
    let failures = recordsUnderConstruction.map { DisposalFailure($0, error) }
    if !failures.isEmpty { return failures }
    // The last one that the closure has registered says where that is.
    guard let last = registrations().max(by: { $0.serial < $1.serial }) else { return [] }
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
