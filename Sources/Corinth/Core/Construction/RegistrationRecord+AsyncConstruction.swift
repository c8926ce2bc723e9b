// SPDX-License-Identifier: MIT

/// The resolve in a task: blocks no thread; no caller owns an asynchronous construction.
extension RegistrationRecord {
  /// An instance by the registration's scope, built by this call or by a concurrent call.
  nonisolated(nonsending)
    final func resolveBoxAsync(_ request: Request) async throws(ResolutionError) -> AnyInstanceBox
  {
    if !sharesInstances { return try await transientBoxAsync(request) }
    var earlier = EarlierAttempts()
    earlier.isInTask = true
    while true {
      var box: AnyInstanceBox?
      switch try nextStep(request, &earlier) {
      case .done(let found): box = found
      case .wait(let place):
        let outcome = await WaitForGraph.waitAsync(
          for: place, requestedBy: request.requester, after: earlier)
        box = try self.box(after: outcome, &earlier)
      case .build(let construction):
        if isAsynchronous {
          // SAFETY: the reference of the state.
          let begun = unsafe construction.takeUnretainedValue()
          earlier.begin(begun)
          let outcome = await start(begun, request, earlier)
          box = try self.box(after: outcome, &earlier)
        } else {
          box = unsafe try build(construction, request, &earlier)
        }
      case .refresh(let old, let state):
        box =
          isAsynchronous
          ? try await refreshAsync(old, in: state, request) : try refresh(old, in: state, request)
      case .redirect(let successor):
        if successor !== self { box = try await successor.resolveBoxAsync(request) }
      }
      if let box { return box }
    }
  }

  /// Builds an asynchronous registration in a new task, and waits for the task as any waiter.
  nonisolated(nonsending)
    private func start(
      _ construction: Construction, _ request: Request, _ earlier: EarlierAttempts
    ) async -> Wait.Outcome
  {
    guard let place = earlier.located?.value.place else {
      preconditionFailure("RegistrationRecord.start: the construction must have a place")
    }
    let (slot, arguments) = (request.slot, request.arguments)
    return await WaitForGraph.waitAsync(
      for: place, requestedBy: request.requester, after: earlier
    ) {
      Task { await self.buildInTask(construction, in: slot, arguments) }
    }
  }

  private func buildInTask(
    _ construction: Construction, in slot: SlotReference, _ arguments: AnyArguments?
  ) async {
    // The caller that began the construction may leave, and end the resolution, during the factory.
    let resolution = construction.root
    let isRetained = resolution !== construction && resolution.retainGraph()
    defer { if isRetained { resolution.closeGraph() } }
    do {
      let instance = try await construction.runInTask {
        let instance = try UnpublishedInstance(
          taking: try await buildComposedAsync(construction.resolver, arguments), of: self,
          builtBy: construction, in: slot, arguments: arguments)
        try await instance.initializeAsync()
        return instance
      }
      // The waiters get the error, if any.
      _ = try? instance.finishWork()
    } catch {
      _ = construction.fail(self, error)
    }
  }

  // MARK: - Instances that are not shared

  /// A new instance, for this resolve only.
  nonisolated(nonsending)
    private func transientBoxAsync(
      _ request: Request
    ) async throws(ResolutionError) -> AnyInstanceBox
  {
    guard mayBuildAsynchronously else { return try transientBox(request) }
    try refuseFault()
    let construction = unsafe try beginUnshared(
      for: request.container, within: request.context, arguments: request.arguments)
    // SAFETY: the call's own reference, consumed by the end.
    defer { unsafe Construction.endUnshared(construction) }
    do {
      return try await buildUnsharedAsync(
        unsafe construction.takeUnretainedValue(), request.arguments)
    } catch {
      throw ResolutionError(error, thrownBy: self)
    }
  }

  /// Begins a construction of an instance for this resolve only.
  ///
  /// - Returns: with a reference, consumed by ``Construction/endUnshared(_:)``.
  final func beginUnshared(
    for container: ContainerCore, within context: ResolutionContext?, arguments: AnyArguments?
  ) throws(ResolutionError) -> Unmanaged<Construction> {
    let requester = ResolutionContext.unfinished(context)
    let construction = unsafe Construction.begin(
      of: self, in: container, requestedBy: requester, isShared: false)
    if unsafe construction._withUnsafeGuaranteedRef({ $0.enclosing != nil || $0.requesting != nil })
    {
      do throws(ResolutionError) {
        try refuseRecursion(in: nil, arguments, requestedBy: requester)
      } catch {
        unsafe Construction.endUnshared(construction)
        throw error
      }
    }
    // The frames of the calling task hold container and requester, and so does the task that runs a
    // context. But a thread that began the task inside a factory goes on when the task suspends.
    if ResolutionContext.running != nil {
      unsafe construction._withUnsafeGuaranteedRef { $0.takeReferences() }
    }
    return unsafe construction
  }

  nonisolated(nonsending)
    private func buildUnsharedAsync(
      _ construction: Construction, _ arguments: AnyArguments?
    ) async throws -> AnyInstanceBox
  {
    if isForwarding {
      // A conformance that belongs to an actor is found only by a cast on the actor.
      return try await construction.runOnActor {
        let box = try await buildComposedAsync(construction.resolver, arguments)
        try await runActionsAsync(on: box, construction.resolver)
        return box
      }
    }
    return try await construction.runInTask {
      let box = try await buildComposedAsync(construction.resolver, arguments)
      try await runActionsAsync(on: box, construction.resolver)
      return box
    }
  }

  /// Runs the actions of a new instance, asynchronous ones included. None is postponed.
  nonisolated(nonsending)
    final func runActionsAsync(on box: AnyInstanceBox, _ resolver: Resolver) async throws
  {
    if lifecycle.afterInit.isEmpty { return }
    var actions = ActionSequence(lifecycle.afterInit)
    try await owner.observing(.actions, of: key, serial, in: resolver.registry) {
      try await actions.runAsync(on: box.undecorated, resolver)
    }
  }

  nonisolated(nonsending)
    private func refreshAsync(
      _ old: AnyInstanceBox, in state: InstanceState, _ request: Request
    ) async throws(ResolutionError) -> AnyInstanceBox
  {
    let construction = beginRefresh(request)
    defer { construction.finish() }
    let result: Result<AnyInstanceBox, any Error>
    do {
      result = .success(try await buildUnsharedAsync(construction, request.arguments))
    } catch { result = .failure(error) }
    return try end(construction, refreshing: old, in: state, with: result)
  }
}
