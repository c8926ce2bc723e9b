// SPDX-License-Identifier: MIT

/// The steps of a construction that a thread owns.
extension RegistrationRecord {
  /// Publishes the product of a construction that the calling thread has built. At once, if the construction
  /// concerns no other one.
  ///
  /// - Parameter box: the product, never `nil`. Taken, so that the caller has no reference to it.
  /// - Returns: the product; `nil` if the caller must retry, because it is not complete yet, or has been dropped because
  ///   of an early reference.
  final func complete(
    _ box: inout AnyInstanceBox?, _ construction: Construction, in slot: SlotReference,
    _ arguments: AnyArguments?
  ) throws(ResolutionError) -> AnyInstanceBox? {
    guard servesInstanceUnchanged, !construction.isLinked, let product = box.take() else {
      return try initialise(&box, construction, in: slot, arguments)
    }
    construction.leave()
    if hasDisposers { markCompleted(product, builtBy: construction) }
    construction.publish(product, storedAs: product, of: self, in: slot, arguments: arguments)
    construction.release()
    return product
  }

  /// Runs the actions that were postponed until now and those of the instance, and publishes the instance if it is
  /// then complete.
  private func initialise(
    _ box: inout AnyInstanceBox?, _ construction: Construction, in slot: SlotReference,
    _ arguments: AnyArguments?
  ) throws(ResolutionError) -> AnyInstanceBox? {
    do {
      let instance = try UnpublishedInstance(
        taking: &box, of: self, builtBy: construction, in: slot, arguments: arguments)
      let isDone = try instance.initialise()
      construction.leave()
      guard isDone else { return nil }
      let product = instance.earlyReference
      return try instance.finishWork() ? product : nil
    } catch let error as ResolutionError where construction.isFinished {
      throw error
    } catch {
      try give(back: construction, because: error)
      return nil
    }
  }

  /// Gives back the claim of a construction that has failed on the calling thread. Returns if the
  /// caller must retry.
  ///
  /// A product that was refused is destroyed by now, inside of the construction: its deinit could otherwise
  /// wait for the construction that it is a part of.
  final func give(
    back construction: Construction, because error: any Error
  ) throws(ResolutionError) {
    construction.leave()
    if let error = fail(construction, error) { throw error }
  }

  /// Ends a construction that has failed.
  ///
  /// - Returns: the error that its resolve throws; `nil` if it must retry.
  final func fail(_ construction: Construction, _ error: any Error) -> ResolutionError? {
    let error = ResolutionError(error, thrownBy: self)
    guard construction.isLinked || !lifecycle.afterInit.isEmpty else {
      construction.drop(becauseOf: error)
      construction.release()
      return error
    }
    let failure = WaitForGraph.fail(construction, of: self, becauseOf: error)
    let removed = construction.drop(becauseOf: failure.error)
    UnpublishedInstance.drop(failure.dropped)
    construction.release()
    // Nothing waits for any of them by now: the deinit of an instance may resolve what has failed.
    withExtendedLifetime((failure, removed)) {}
    return failure.error
  }

  /// Numbers an instance in the container that will dispose of it. A request scope has numbers of its own: requests write
  /// nothing in common.
  final func markCompleted(_ box: AnyInstanceBox, builtBy construction: Construction) {
    let container = construction.container
    let keeper =
      switch policy.storage {
      case .requestScope: container.isScope ? container : container.scope
      case .none, .resolution, .registration: owner
      }
    box.markCompleted((keeper ?? owner).nextCompletion())
  }

  // MARK: - Instances that are not shared

  /// A new instance, which no other resolve gets.
  @usableFromInline
  final func transientBox(
    in slot: SlotReference, for container: ContainerCore, within context: ResolutionContext?,
    arguments: AnyArguments?
  ) throws(ResolutionError) -> AnyInstanceBox {
    try refuseFault()
    guard !isAsynchronous else {
      throw .asyncResolutionRequired(ResolutionError.Context(refusingToBuild: self))
    }
    let section = Section.enter()
    if section.depth > 1, section.isStackLow {
      section.leave()
      throw .resolutionTooDeep(self)
    }
    let level = try section.pushFrame(
      slot, recursions: arguments == nil ? 0 : Section.argumentRecursions)
    let resolution = container.openResolution(within: context)
    defer {
      resolution.end()
      level.end()
      section.leave()
    }
    do {
      return try buildUnshared(
        Resolver(registry: container, construction: resolution.context), arguments)
    } catch {
      throw ResolutionError(error, thrownBy: self)
    }
  }

  private func buildUnshared(
    _ resolver: Resolver, _ arguments: AnyArguments?
  ) throws -> AnyInstanceBox {
    let box =
      try resolver.isComposed
      ? buildComposed(resolver, arguments) : build(resolver, arguments)
    if !lifecycle.afterInit.isEmpty { try runActions(on: box.undecorated, resolver) }
    return box
  }

  @inline(never)
  private func runActions(on box: AnyInstanceBox, _ resolver: Resolver) throws {
    var actions = ActionSequence(lifecycle.afterInit)
    try recordingActions(in: resolver.registry) { try actions.run(on: box, resolver) }
  }

  /// Runs `afterInit` actions, whose resolves are recorded as those of this registration, if they are.
  ///
  /// - Parameter container: where the dependencies are resolved.
  final func recordingActions(in container: ContainerCore, _ actions: () throws -> Void) throws {
    try owner.recordedRun(of: serial, .action, in: container).record(actions)
  }

  nonisolated(nonsending)
    final func recordingActionsAsync(
      in container: ContainerCore, _ actions: () async throws -> Void
    ) async throws
  {
    if lifecycle.afterInit.isEmpty { return try await actions() }
    try await owner.recordedRun(of: serial, .action, in: container).recordAsync(actions)
  }

  /// Builds a newer instance in place of a stale one, which other resolves get meanwhile.
  final func refresh(
    _ old: AnyInstanceBox, at location: InstanceLocation, for container: ContainerCore,
    _ requester: ResolutionContext?, _ arguments: AnyArguments?
  ) throws(ResolutionError) -> AnyInstanceBox {
    let construction = Construction(
      of: self, in: dependencies(for: container), requestedBy: requester, isRefresh: true)
    let previous = ResolutionContext.running
    construction.enter()
    defer {
      construction.finish()
      Reclamation.reclaim()
    }
    do {
      try refuseRefreshIfTooDeep(construction)
      let box = try buildUnshared(construction.resolver, arguments)
      construction.leave(to: previous)
      publish(box, inPlaceOf: old, at: location, builtBy: construction)
      return box
    } catch {
      construction.leave(to: previous)
      return try abandonRefresh(of: old, in: construction, becauseOf: error)
    }
  }

  private func refuseRefreshIfTooDeep(_ construction: Construction) throws(ResolutionError) {
    let section = Section.enter()
    defer { section.leave() }
    try construction.refuseIfTooDeep(self, section)
  }

  /// Ends a refresh that has failed: the next resolve tries again.
  ///
  /// The new instance cannot be got early. If it needs one that is being built around it, as the old one does, a resolve
  /// that is not inside of that can build it.
  ///
  /// - Returns: the old instance, for a resolve inside of another construction that has found a cycle.
  final func abandonRefresh(
    of old: AnyInstanceBox, in construction: Construction, becauseOf error: any Error
  ) throws(ResolutionError) -> AnyInstanceBox {
    old.expiry?.abandonRefresh()
    let error = ResolutionError(error, thrownBy: self)
    let isNested = construction.enclosing != nil || construction.requesting != nil
    if case .circularDependencyDetected = error, isNested { return old }
    throw error
  }

  /// Publishes the instance that a refresh has built.
  final func publish(
    _ box: AnyInstanceBox, inPlaceOf old: AnyInstanceBox, at location: InstanceLocation,
    builtBy construction: Construction
  ) {
    // An instance that may refer to an incomplete one is for its own resolution only.
    if construction.isLinked {
      old.expiry?.abandonRefresh()
      return
    }
    box.expiry = scope.cachePolicy.map { Expiry($0) }
    guard location.state.replace(old, with: box) else { return }
    // SAFETY: the reference that the state had to the box, which it does not hold any more.
    unsafe Reclamation.retire(Unmanaged<AnyObject>.passUnretained(old))
  }
}
