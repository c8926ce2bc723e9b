// SPDX-License-Identifier: MIT

extension ReloadableContainer {
  /// Replaces registrations, and builds their dependents anew.
  ///
  /// ```swift
  /// let disposal = try await reloadable.reload { version in
  ///   try version.register(value: settings)
  /// }
  /// try await disposal.value
  /// ```
  ///
  /// First, the built singletons that depend on a registration of `change` are built again, beside
  /// the instances in use. Then the new version takes the place of the old version. Both versions
  /// share all remaining instances; a shared singleton not built so far is built once. When the
  /// scopes of the old version have closed, the replaced instances are disposed of: the dependents
  /// first, each once. A value is disposed of when nothing else of its version is shared any more,
  /// or with the container.
  ///
  /// Registering an equal value again is no change: values are compared by the `==` of the type,
  /// which runs without a lock, on the actor of the caller; objects by identity. Forwarding to an
  /// equal key is no change either. Every other registration is a change, also of an equal value
  /// with actions.
  ///
  /// A failure changes nothing: the instances built for the new version are disposed of.
  ///
  /// - Parameters:
  ///   - validating: whether the new version is validated before anything is built:
  ///   ``Container/validate(roots:inputs:strictly:)``.
  ///   - maximumConcurrency: how many singletons are built at once, at least 1.
  ///   - timeLimit: the longest time for each disposer of a replaced instance; `nil` for none.
  ///   - change: registers in the new version. A registration of `change` overrides the
  ///     registration of the key, and has its own scope and actions.
  ///     ``Container/unregister(_:name:arguments:)`` removes registrations of reloads: the
  ///     container's own registration under the key is then built anew, and cannot be removed.
  ///     Resolves of `change` get instances of the old version, and instances of the new version
  ///     built by `change` are disposed of.
  /// - Returns: the task that disposes of the replaced instances. The call returns the task as soon
  ///   as the new version is current. The task throws ``CloseError/disposalFailed(_:)``. Do not
  ///   await the task in a scope of the old version, nor in a factory or a disposer.
  /// - Throws: ``RegistrationError/reloadRefused(_:)``, if the dependencies of registrations would
  ///   have to be known; the error of `change`; ``RegistrationError/validationFailed(_:)``;
  ///   ``ResolutionError/warmUpFailed(_:)``; `CancellationError`, if the task was cancelled;
  ///   ``ResolutionError/containerClosed(_:)``; ``ResolutionError/circularDependencyDetected(_:)``,
  ///   in a factory, an action or a disposer while a reload is under way that may wait for the
  ///   caller.
  /// - Complexity: O(*n* + *d*) in the numbers of registrations and dependencies, plus the time of
  ///   the factories.
  ///
  /// Waits for the reload under way. The end of the container waits too, but not in a factory, an
  /// action or a disposer. A reload that meets the end fails with
  /// ``ResolutionError/containerClosed(_:)``. No thread is blocked.
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
    guard await versions.begin(mayWait: !DisposalContext.mayBlockReloads) else {
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
      // Behaviors and observers get the events of constructions before the exchange, too.
      guard versions.stage(ContainerLayer(container.registry, keeping: container)) else {
        throw closed
      }
      container.registry.followBase()
      try change(container)
      // In an ending container all registrations seem to be missing, and no instance depends on
      // any.
      try failIfEnding()
      let plan = try staging.plan(base: base.registry, versions.layers)
      try failIfEnding()
      await dispose(TimeLimits(each: timeLimit)) {
        container.registry.takeInstances(of: plan.keysBuiltEarly)
      }
      try container.freeze()
      if validating {
        try container.validate()
        try failIfEnding()
      }
      if !plan.keysToBuild.isEmpty {
        try await container.warmUp(plan.keysToBuild, maximumConcurrency: maximumConcurrency)
      }
      try Task.checkCancellation()
      // Before other threads make scopes of the version. The second call finds a change of the
      // tracking in between.
      container.registry.trackScopesAsBase()
      guard let disposal = exchange(old, for: plan, TimeLimits(each: timeLimit)) else {
        throw closed
      }
      container.registry.trackScopesAsBase()
      return disposal
    } catch {
      let isOfEnd = base.isClosed && (error is ResolutionError || error is RegistrationError)
      await close(
        container.registry, after: ScopeOutcome(after: error), TimeLimits(each: timeLimit))
      throw isOfEnd ? closed : error
    }
  }

  /// Closes a version that was made in vain.
  private func close(
    _ core: ContainerCore, after outcome: ScopeOutcome, _ timeLimits: TimeLimits
  ) async {
    await DisposalContext(.reload, of: versions).runToEnd {
      await dispose(after: outcome, timeLimits) { core.takeInstancesBeforeClosing() }
      _ = await core.closeForDisposal(outcome: outcome, timeLimits: timeLimits)
    }
  }

  /// Disposes of instances of the version that is being made.
  private func dispose(
    after outcome: ScopeOutcome = .completed, _ timeLimits: TimeLimits,
    taking body: () -> TakenInstances
  ) async {
    for made in versions.disposals.take(leavesToEnd: false, { [body()] }) {
      _ = await made.dispose(
        for: versions.disposals, isNoted: false, after: outcome, timeLimits)
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

  private var closed: ResolutionError {
    let key = RegistrationKey(product: Container.self)
    return current.registry.refusal(of: key, before: "reload", .container)
      ?? .containerClosed(.init(refusing: key, .container))
  }

  private func exchange(
    _ old: ContainerLayer, for plan: ReloadPlan, _ timeLimits: TimeLimits
  ) -> Task<Void, any Error>? {
    let (versions, earlier) = (versions, versions.disposal)
    let (exchange, continuation) = AsyncStream.makeStream(of: Bool.self)
    // Made before the exchange, whose lock no executor is to be called under.
    let disposal = Task {
      // A caller that cancels the task has got it after the exchange.
      guard await exchange.first(where: { _ in true }) ?? true else { return }
      _ = await earlier?.result
      await old.core.drain(for: nil)
      let failures = await DisposalContext(.replacement, of: versions).runToEnd {
        await plan.disposeOfReplaced(for: versions, timeLimits)
      }
      versions.disposals.note(nil)
      if !failures.isEmpty { throw CloseError.disposalFailed(failures) }
    }
    let isExchanged = versions.exchange(for: plan.layer, disposing: disposal)
    continuation.yield(isExchanged)
    return isExchanged ? disposal : nil
  }
}
