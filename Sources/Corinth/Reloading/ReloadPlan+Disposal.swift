// SPDX-License-Identifier: MIT

extension ReloadPlan {
  /// Disposes of what the reload replaces, and closes the versions that nothing is shared of any more.
  ///
  /// Resolves outside of units of work may build again what is being replaced. So each step takes out of their slots what it
  /// is going to dispose of, the oldest version first, and then all that may have been built from that since the step
  /// before: what is built later is built from new instances, or not at all.
  func disposeOfReplaced(
    for versions: ContainerVersions, _ timeLimits: TimeLimits
  ) async -> [DisposalFailure] {
    var failures: [DisposalFailure] = []
    for number in replaced.indices {
      failures += await Self.dispose(of: Array(replaced[...number]), for: versions, timeLimits)
    }
    // Older versions, that a program has kept, may build from those that are unused until these are sealed.
    let unused = versions.unused(before: layer)
    if unused.isEmpty { return failures }
    let open = replaced.filter { part in !unused.contains { $0.core === part.core } }
    let parts = unused.map { Part(core: $0.core, number: $0.number, isUnused: true) } + open
    failures += await Self.dispose(
      of: parts.sorted { $0.number > $1.number }, for: versions, timeLimits)
    for layer in unused.reversed() {
      failures += await layer.core.closeForDisposal(timeLimits: timeLimits)
    }
    versions.remove(unused)
    return failures
  }

  /// Takes instances, the oldest version first, and disposes of them, the newest first.
  ///
  /// - Parameter parts: the newest version first.
  private static func dispose(
    of parts: [Part], for versions: ContainerVersions, _ timeLimits: TimeLimits
  ) async -> [DisposalFailure] {
    let taken = versions.disposals.take {
      parts.reversed().map { part in
        part.isUnused
          ? part.core.takeInstancesBeforeClosing() : part.core.takeInstances(of: part.keys)
      }
    }
    var failures: [DisposalFailure] = []
    for instances in taken.reversed() {
      failures += await instances.dispose(
        for: versions.disposals, isNoted: true, timeLimits)
    }
    return failures
  }
}
