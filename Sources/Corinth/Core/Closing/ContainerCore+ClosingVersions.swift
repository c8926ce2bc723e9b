// SPDX-License-Identifier: MIT

extension ContainerCore {
  /// Whether the caller is a part of the disposal after a reload, or of a construction awaited by
  /// such a disposal, so that the end of the base waits for the caller. In a version: only once the
  /// end of the base, which ends the version, has begun. Out of line: ends of scopes stay short.
  @inline(never)
  var isAwaitedByDisposalsOfVersions: Bool {
    let base = baseOfLayer ?? self
    guard let versions = base.versionsIfMade, base === self || versions.isEnding else {
      return false
    }
    return Construction.isBuilding(for: base)
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

/// The disposal of instances replaced by a reload, or made in vain, as the disposers' context.
// SAFETY: see the superclass; the property is constant.
final class ReloadDisposal: DisposalContext, @unchecked Sendable {
  let versions: ContainerVersions
  /// Whether the reload waits for the disposal, which ends instances made by the reload.
  let isPartOfReload: Bool

  init(_ versions: ContainerVersions, isPartOfReload: Bool = false) {
    (self.versions, self.isPartOfReload) = (versions, isPartOfReload)
  }

  /// Runs `body` in the disposal, which ends with `body`.
  func runToEnd<Result>(_ body: nonisolated(nonsending) () async -> Result) async -> Result {
    let result = await run(body)
    markFinished()
    return result
  }
}
