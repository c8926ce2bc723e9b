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
  /// first, each once. A value is disposed of when nothing else of the version that it was registered in is shared any more,
  /// or with the container.
  ///
  /// A value that is registered again changes nothing if it is equal: by the `==` of its type, which runs without a lock, on the
  /// actor of the caller; an object if it is the same one. So does a forward to the same key. All else is a change, as what has
  /// actions.
  ///
  /// A failure changes nothing: what has been built is disposed of.
  ///
  /// - Parameters:
  ///   - validating: whether the new version is validated before anything is built:
  ///   ``Container/validate(roots:inputs:strictly:)``.
  ///   - maximumConcurrency: how many singletons are built at once, at least 1.
  ///   - timeLimit: the longest time for each disposer of the old part; `nil` for none.
  ///   - change: registers in the new version. What it registers overrides the registration of the key, and has its own
  ///     scope and actions. ``Container/unregister(_:name:arguments:)`` removes what reloads have registered: what the
  ///     container itself has under the key is then built anew, and cannot be removed. What `change` resolves is the old
  ///     version's, and what it builds of the new one is disposed of.
  /// - Returns: the disposal of the old part, at the exchange. It throws ``CloseError/disposalFailed(_:)``. Do not await it in
  ///   a scope that it waits for, nor in a factory or a disposer.
  /// - Throws: ``RegistrationError/reloadRefused(_:)``, if the dependencies of registrations would have
  ///   to be known; the error of `change`; ``RegistrationError/validationFailed(_:)``; ``ResolutionError/warmUpFailed(_:)``;
  ///   `CancellationError`, if the task was cancelled; ``ResolutionError/containerClosed(_:)``;
  ///   ``ResolutionError/circularDependencyDetected(_:)``, in a factory, an action or a disposer while another reload is under
  ///   way, which may wait for it.
  /// - Complexity: O(*n* + *d*) in the numbers of registrations and dependencies, plus the time of the factories.
  ///
  /// Waits for the reload that is under way. The end of the container does so too, but not in a factory, an action or
  /// a disposer. A reload that meets the end fails with ``ResolutionError/containerClosed(_:)``. No thread is blocked.
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
    guard await versions.begin(mayWait: !ClosingContext.current.isAwaitedByReloads) else {
      try failIfEnding()
      let key = RegistrationKey(product: Self.self)
      throw ResolutionError.circularDependencyDetected(.init(cycle: [key], .reload))
    }
    defer { versions.end() }
    try Task.checkCancellation()
    let old = try currentLayer
    let container = Container(layerOf: base)
    do {
      let staging = try StagedVersion(container, after: old)
      // What is built before the exchange is an event, too.
      guard versions.stage(container.registry) else { throw closed }
      container.registry.followBase()
      try change(container)
      // A container that ends has no registrations: they seem to be missing, and nothing depends on them.
      try failIfEnding()
      let plan = try staging.plan(base: base.registry, versions.layers)
      try failIfEnding()
      _ = await container.registry.takeInstances(of: plan.keysBuiltEarly)
        .dispose(for: versions, TimeLimits(each: timeLimit))
      try container.freeze()
      if validating {
        try container.validate()
        try failIfEnding()
      }
      if !plan.keysToBuild.isEmpty {
        try await container.warmUp(plan.keysToBuild, maximumConcurrency: maximumConcurrency)
      }
      try Task.checkCancellation()
      // Before others make scopes of it. What begins to track meanwhile is found below.
      container.registry.trackScopesAsBase()
      guard let disposal = exchange(old, for: plan, TimeLimits(each: timeLimit)) else {
        throw closed
      }
      container.registry.trackScopesAsBase()
      return disposal
    } catch {
      let isOfEnd = base.isClosed && (error is ResolutionError || error is RegistrationError)
      _ = await ReloadDisposal(versions).runToEnd {
        await container.registry.closeForDisposal(
          outcome: ScopeOutcome(after: error), timeLimits: TimeLimits(each: timeLimit))
      }
      throw isOfEnd ? closed : error
    }
  }

  private func failIfEnding() throws {
    if base.isClosed { throw closed }
  }

  private var currentLayer: ContainerLayer {
    get throws {
      guard !base.isClosed, let layer = versions.current, !layer.core.isClosed else { throw closed }
      return layer
    }
  }

  private var closed: ResolutionError { current.registry.missing(Container.self, name: nil) }

  private func exchange(
    _ old: ContainerLayer, for plan: ReloadPlan, _ timeLimits: TimeLimits
  ) -> Task<Void, any Error>? {
    let versions = versions
    return versions.exchange(for: plan.layer) { earlier in
      Task {
        _ = await earlier?.result
        await old.core.drain(for: nil)
        let failures = await ReloadDisposal(versions).runToEnd {
          var failures: [DisposalFailure] = []
          for (number, part) in plan.replaced.enumerated() {
            let taken = part.core.takeInstances(of: part.keys)
            // What was built again from these in the meantime, outside of units of work.
            let again = plan.replaced[..<number].map { $0.core.takeInstances(of: $0.keys) }
            if versions.leaveToEnd(again + [taken]) { continue }
            for instances in again + [taken] {
              failures += await instances.dispose(for: versions, timeLimits)
            }
          }
          for layer in versions.takeUnused(before: plan.layer).reversed() {
            versions.noteDisposal(at: layer.core.firstDisposalPlace)
            failures += await layer.core.closeForDisposal(timeLimits: timeLimits)
          }
          return failures
        }
        versions.noteDisposal(at: nil)
        if !failures.isEmpty { throw CloseError.disposalFailed(failures) }
      }
    }
  }
}
