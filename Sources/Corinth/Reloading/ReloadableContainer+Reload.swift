// SPDX-License-Identifier: MIT

extension ReloadableContainer {
  /// Replaces registrations, and builds anew what depends on them.
  ///
  /// ```swift
  /// let disposal = try await reloadable.reload { version in
  ///   try version.register(value: settings)
  /// }
  /// try await disposal.value
  /// ```
  ///
  /// The singletons that depend on what `change` registers are built again, beside those that are in use, if these had been
  /// built. Then the versions are exchanged. All other instances are shared, and those that have not been built are built
  /// once. When the scopes of the old versions have closed, the instances that were replaced are disposed of: the dependents
  /// first, each once.
  ///
  /// A failure changes nothing: what has been built is disposed of.
  ///
  /// - Parameters:
  ///   - validating: whether the new version is validated before anything is built: ``Container/validate(roots:inputs:strictly:)``.
  ///   - maximumConcurrency: how many singletons are built at once, at least 1.
  ///   - timeLimit: the longest time for each disposer of the old part; `nil` for none.
  ///   - change: registers in the new version. What it registers overrides the registration of the key, and has its own
  ///     scope and actions. ``Container/unregister(_:name:arguments:)`` removes what reloads have registered: what the
  ///     container itself has under the key is then built anew, and cannot be removed.
  /// - Returns: the disposal of the old part, at the exchange. It throws ``CloseError/disposalFailed(_:)``. Do not await it in
  ///   a scope that it waits for.
  /// - Throws: ``RegistrationError/reloadRefused(_:)``, if the dependencies of registrations would have
  ///   to be known; the error of `change`; ``RegistrationError/validationFailed(_:)``; ``ResolutionError/warmUpFailed(_:)``;
  ///   `CancellationError`, if the task was cancelled; ``ResolutionError/containerClosed(_:)``.
  /// - Complexity: O(*n* + *d*) in the numbers of registrations and dependencies, plus the time of the factories.
  ///
  /// Waits for the reload that is under way. Neither a reload nor the end of the container may be awaited in a factory of a
  /// reload, nor in a disposer. No thread is blocked.
  @discardableResult
  nonisolated(nonsending)
    public func reload(
      validating: Bool = true, maximumConcurrency: Int = 1, timeLimit: Duration? = nil,
      _ change: (Container) throws -> Void
    ) async throws -> Task<Void, any Error>
  {
    precondition(
      maximumConcurrency > 0,
      "ReloadableContainer.reload: maximumConcurrency is \(maximumConcurrency), and must be at least 1"
    )
    await versions.begin()
    defer { versions.end() }
    try Task.checkCancellation()
    guard !base.isClosed, let old = versions.current else {
      throw base.registry.missing(Container.self, name: nil)
    }
    let container = Container(layerOf: base)
    do {
      let staging = try StagedVersion(container, after: old)
      try change(container)
      let plan = try staging.plan(base: base.registry)
      try container.freeze()
      if validating { try container.validate() }
      if !plan.keysToBuild.isEmpty {
        try await container.warmUp(plan.keysToBuild, maximumConcurrency: maximumConcurrency)
      }
      try Task.checkCancellation()
      return exchange(old, for: plan, TimeLimits(each: timeLimit))
    } catch {
      _ = await container.registry.closeForDisposal(
        outcome: ScopeOutcome(after: error), timeLimits: TimeLimits(each: timeLimit))
      throw error
    }
  }

  private func exchange(
    _ old: ContainerLayer, for plan: ReloadPlan, _ timeLimits: TimeLimits
  ) -> Task<Void, any Error> {
    let versions = versions
    return versions.exchange(for: plan.layer) { earlier in
      Task {
        _ = await earlier?.result
        await old.core.drain(for: nil)
        var failures: [DisposalFailure] = []
        for part in plan.replaced {
          failures += await part.core.disposeOfInstances(of: part.keys, timeLimits: timeLimits)
        }
        for layer in versions.takeUnused(before: plan.layer).reversed() {
          failures += await layer.core.closeForDisposal(timeLimits: timeLimits)
        }
        if !failures.isEmpty { throw CloseError.disposalFailed(failures) }
      }
    }
  }
}
