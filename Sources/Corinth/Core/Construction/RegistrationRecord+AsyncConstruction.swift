// SPDX-License-Identifier: MIT

/// The resolve of an instance in a task: no thread is blocked, and an asynchronous construction belongs to no caller.
extension RegistrationRecord {
  /// An instance according to the registration's scope, built by this call or by another one.
  nonisolated(nonsending)
    final func resolveBoxAsync(
      in slot: SlotReference, for container: ContainerCore, within context: ResolutionContext?,
      arguments: AnyArguments?
    ) async throws(ResolutionError) -> AnyInstanceBox
  {
    if !sharesInstances {
      return try await transientBoxAsync(
        in: slot, for: container, within: context, arguments: arguments)
    }
    var earlier = EarlierAttempts()
    earlier.isInTask = true
    if isForCells, let box = try boxInCell(in: slot, for: container, within: context, &earlier) {
      return box
    }
    var located = earlier.located.take()
    while true {
      let requester = ResolutionContext.unfinished(context)
      let location = try self.located(located, for: container, requester, arguments)
      located = location
      switch try claim(
        location, in: slot, for: container, requester, arguments,
        mayBuild: !isAsynchronous || !isCancelled(within: requester))
      {
      case .instance(let box):
        return box
      case .underWay:
        let outcome = await WaitForGraph.waitAsync(
          for: location.state, requestedBy: requester, after: earlier)
        if let box = try box(after: outcome, &earlier) { return box }
      case .claimed(let construction):
        earlier.begin(construction)
        guard isAsynchronous else {
          if let box = try buildInCaller(construction, in: slot, arguments) { return box }
          continue
        }
        let outcome = await WaitForGraph.waitAsync(
          for: location.state, requestedBy: requester, after: earlier
        ) {
          Task { await self.buildInTask(construction, in: slot, arguments) }
        }
        if let box = try box(after: outcome, &earlier) { return box }
      case .refresh(let old):
        return isAsynchronous
          ? try await refreshAsync(old, at: location, for: container, requester, arguments)
          : try refresh(old, at: location, for: container, requester, arguments)
      case .refused:
        throw .underlyingError(ResolutionError.Context(failureOf: self, CancellationError()))
      case .abandoned:
        _ = try box(after: .abandoned, &earlier)
      case .closed:
        return try await successor(in: slot, for: container).resolveBoxAsync(
          in: slot, for: container, within: context, arguments: arguments)
      }
    }
  }

  /// Whether the calling task was cancelled, or the construction that it resolves in.
  private func isCancelled(within requester: ResolutionContext?) -> Bool {
    Task.isCancelled || WaitForGraph.isCancelled(requestedBy: requester)
  }

  /// Builds for a synchronous registration in the caller.
  private func buildInCaller(
    _ construction: Construction, in slot: SlotReference, _ arguments: AnyArguments?
  ) throws(ResolutionError) -> AnyInstanceBox? {
    construction.enterForBuilding()
    var box: AnyInstanceBox?
    do {
      box =
        try construction.isComposed
        ? buildComposed(construction.resolver, arguments) : build(construction.resolver, arguments)
    } catch {
      try give(back: construction, because: error)
      return nil
    }
    return try complete(&box, construction, in: slot, arguments)
  }

  /// Builds for an asynchronous registration in a task of its own.
  private func buildInTask(
    _ construction: Construction, in slot: SlotReference, _ arguments: AnyArguments?
  ) async {
    // The caller that began it may leave, and end the resolution, in the middle of the factory.
    let resolution = construction.root
    let isRetained = resolution !== construction && resolution.retainGraph()
    defer { if isRetained { resolution.closeGraph() } }
    do {
      let instance = try await construction.runInTask {
        var box: AnyInstanceBox? = try await buildComposedAsync(construction.resolver, arguments)
        let instance = try UnpublishedInstance(
          taking: &box, of: self, builtBy: construction, in: slot, arguments: arguments)
        try await instance.initialiseAsync()
        return instance
      }
      // The waiters get the error, if there is one.
      _ = try? instance.finishWork()
    } catch {
      _ = fail(construction, error)
    }
  }

  // MARK: - Instances that are not shared

  /// A new instance, which no other resolve gets.
  nonisolated(nonsending)
    private func transientBoxAsync(
      in slot: SlotReference, for container: ContainerCore, within context: ResolutionContext?,
      arguments: AnyArguments?
    ) async throws(ResolutionError) -> AnyInstanceBox
  {
    guard mayBuildAsynchronously else {
      return try transientBox(in: slot, for: container, within: context, arguments: arguments)
    }
    try refuseFault()
    let construction = unsafe try beginUnshared(
      for: container, within: context, arguments: arguments)
    // SAFETY: this call's reference, which the end takes over.
    defer { unsafe Construction.endUnshared(construction) }
    do {
      return try await buildUnsharedAsync(unsafe construction.takeUnretainedValue(), arguments)
    } catch {
      throw ResolutionError(error, thrownBy: self)
    }
  }

  /// Begins a construction of an instance that no other resolve gets.
  ///
  /// - Returns: with a reference, which ``Construction/endUnshared(_:)`` takes over.
  final func beginUnshared(
    for container: ContainerCore, within context: ResolutionContext?, arguments: AnyArguments?
  ) throws(ResolutionError) -> Unmanaged<Construction> {
    let requester = ResolutionContext.unfinished(context)
    try refuseRecursion(in: nil, arguments, requestedBy: requester)
    return unsafe Construction.recycled(
      of: self, in: container, requestedBy: requester, isShared: false)
  }

  nonisolated(nonsending)
    private func buildUnsharedAsync(
      _ construction: Construction, _ arguments: AnyArguments?
    ) async throws -> AnyInstanceBox
  {
    try await construction.runInTask {
      let box = try await buildComposedAsync(construction.resolver, arguments)
      var actions = ActionSequence(lifecycle.afterInit)
      try await recordingActionsAsync(in: construction.container) {
        try await actions.runAsync(on: box.undecorated, construction.resolver)
      }
      return box
    }
  }

  nonisolated(nonsending)
    private func refreshAsync(
      _ old: AnyInstanceBox, at location: InstanceLocation, for container: ContainerCore,
      _ requester: ResolutionContext?, _ arguments: AnyArguments?
    ) async throws(ResolutionError) -> AnyInstanceBox
  {
    let construction = Construction(
      of: self, in: dependencies(for: container), requestedBy: requester, isRefresh: true)
    defer { construction.finish() }
    do {
      let box = try await buildUnsharedAsync(construction, arguments)
      publish(box, inPlaceOf: old, at: location, builtBy: construction)
      return box
    } catch {
      return try abandonRefresh(of: old, in: construction, becauseOf: error)
    }
  }
}
