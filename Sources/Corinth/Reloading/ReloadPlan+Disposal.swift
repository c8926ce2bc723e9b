// SPDX-License-Identifier: MIT

extension ReloadPlan {
  /// Disposes of the instances replaced by the reload, and closes the versions without instances
  /// shared by newer versions.
  ///
  /// Resolves outside of units of work may build replaced instances again. So each step first takes
  /// the instances to dispose of out of the slots, the oldest version first, and then all instances
  /// that may have been built from the taken instances since the step before. Instances built later
  /// are built from new instances, or not at all.
  func disposeOfReplaced(
    for versions: ContainerVersions, _ timeLimits: TimeLimits
  ) async -> [DisposalFailure] {
    var failures: [DisposalFailure] = []
    for number in replaced.indices {
      failures += await Self.dispose(of: Array(replaced[...number]), for: versions, timeLimits)
    }
    // A program may have kept an older version, which may build from instances of unused versions
    // until the unused versions are sealed.
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
