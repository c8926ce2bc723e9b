// SPDX-License-Identifier: MIT

/// The ends of the versions of a container, see ``ContainerVersions``.
extension ContainerCore {
  /// Ends the versions of this container, which has been sealed: their instances are disposed of before its own.
  nonisolated(nonsending)
    func closeVersions(outcome: ScopeOutcome, timeLimits: TimeLimits) async -> [DisposalFailure]
  {
    guard let versions = versionsIfMade else { return [] }
    // Within a construction or a disposal, the reload under way may wait for the caller: it finds no versions any more.
    let hasBegun = await versions.begin(mayWait: !ClosingContext.current.isAwaitedByReloads)
    let (layers, disposal) = versions.finish()
    // A disposer may await a reload, which is refused by now.
    if hasBegun { versions.end() }
    // The disposals wait for scopes no longer.
    for layer in layers {
      layer.core.seal()
      Draining.endWaits(for: layer.core)
    }
    if !isAwaitedByDisposalsOfVersions { _ = await disposal?.result }
    var failures: [DisposalFailure] = []
    for layer in layers.reversed() {
      failures += await layer.core.closeForDisposal(outcome: outcome, timeLimits: timeLimits)
    }
    return failures
  }

  /// Whether the caller is a part of the disposal after a reload, or of a construction that this may wait for. Out of line, to
  /// keep the ends of scopes short.
  @inline(never)
  var isAwaitedByDisposalsOfVersions: Bool {
    guard let versions = versionsIfMade else { return false }
    return Construction.isBuilding(for: self)
      || DisposalContext.enclosing.contains { ($0 as? ReloadDisposal)?.versions === versions }
  }

  /// Closes the container.
  ///
  /// - Returns: the failures.
  nonisolated(nonsending)
    func closeForDisposal(
      outcome: ScopeOutcome = .completed, timeLimits: TimeLimits
    ) async -> [DisposalFailure]
  {
    do throws(CloseError) {
      try await close(outcome: outcome, timeLimits: timeLimits)
      return []
    } catch {
      guard case .disposalFailed(let failures) = error else { return [] }
      return failures
    }
  }
}

/// The disposal of what a reload has replaced, as what its disposers are a part of.
// SAFETY: see the superclass; the property is constant.
final class ReloadDisposal: DisposalContext, @unchecked Sendable {
  let versions: ContainerVersions

  init(_ versions: ContainerVersions) {
    self.versions = versions
  }
}
