// SPDX-License-Identifier: MIT

/// Constructions of instances for which no further resolve waits.
extension RegistrationRecord {
  /// The container that will dispose of an instance, and so numbers it. A request scope has its own
  /// numbers: requests share no written memory. May compare names, which is user code.
  final func disposingContainer(around container: ContainerCore) -> ContainerCore {
    switch policy.storage {
    case .requestScope: keeper(around: container) ?? owner
    case .none, .resolution, .registration: owner
    }
  }

  /// Numbers an instance in the container that will dispose of the instance.
  final func markCompleted(_ box: AnyInstanceBox, in container: ContainerCore) {
    // A box numbered for a publication in a cell keeps the number when the exchange there fails. An
    // instance without a box has such a number in the cell alone: its new box gets a later number
    // here, and the cell's is not read again. A later number is as good, as no dependent of the
    // instance is complete yet.
    if box.completion == 0 { box.markCompleted(container.nextCompletion()) }
  }

  // MARK: - Instances that are not shared

  /// A new instance, for this resolve only.
  final func transientBox(_ request: Request) throws(ResolutionError) -> AnyInstanceBox {
    try refuseFault()
    if isAsynchronous { throw refusal }
    let section = Section.enter()
    if section.depth > 1, section.isStackLow {
      section.leave()
      throw .resolutionTooDeep(self)
    }
    let level = try section.pushFrame(
      request.slot, recursions: request.arguments == nil ? 0 : Section.argumentRecursions)
    // The caller has a reference to the registration.
    let use = section.leave(using: 0, isShallow: false)
    let resolution = OpenResolution.begin(
      in: request.container, within: request.context,
      building: isForwarding ? nil : request.slot)
    defer {
      resolution.end()
      level.end()
      use.end()
    }
    do {
      return try buildUnshared(
        Resolver(registry: request.container, construction: resolution.context), request.arguments)
    } catch {
      // No factory has run.
      if isAbsence, let error = error as? ResolutionError { throw error }
      throw ResolutionError(error, thrownBy: self)
    }
  }

  private func buildUnshared(
    _ resolver: Resolver, _ arguments: AnyArguments?
  ) throws -> AnyInstanceBox {
    let box =
      try resolver.isComposed
      ? buildComposed(resolver, arguments) : build(UncountedResolver(resolver), arguments)
    if !lifecycle.afterInit.isEmpty { try runActions(on: box, resolver) }
    return box
  }

  /// Out of line, to keep the frames of nested resolves small.
  @inline(never)
  private func runActions(on box: AnyInstanceBox, _ resolver: Resolver) throws {
    var actions = ActionSequence(lifecycle.afterInit)
    try run(&actions, on: box, resolver)
  }

  /// Runs `afterInit` actions. A recording notes their resolves for the registration.
  @inline(never)
  final func run(
    _ actions: inout ActionSequence, on box: AnyInstanceBox, _ resolver: Resolver
  ) throws {
    try owner.observing(.actions, of: key, serial, in: resolver.registry) {
      try actions.run(on: box.undecorated, resolver)
    }
  }

  // MARK: - Refreshes

  /// Builds a newer instance in place of a stale one, which further resolves get meanwhile.
  final func refresh(
    _ old: AnyInstanceBox, in state: InstanceState, _ request: Request
  ) throws(ResolutionError) -> AnyInstanceBox {
    let construction = beginRefresh(request)
    defer {
      construction.finish()
      Reclamation.reclaim()
    }
    let result = Result {
      try construction.whileRunning {
        try refuseRefreshIfTooDeep(construction)
        return try buildUnshared(construction.resolver, request.arguments)
      }
    }
    return try end(construction, refreshing: old, in: state, with: result)
  }

  /// The construction of an instance in place of a stale one.
  final func beginRefresh(_ request: Request) -> Construction {
    .begun(
      of: self, in: dependencies(for: request.container), requestedBy: request.requester,
      isRefresh: true)
  }

  private func refuseRefreshIfTooDeep(_ construction: Construction) throws(ResolutionError) {
    let section = Section.enter()
    defer { section.leave() }
    if construction.isTooDeep(section) { throw .resolutionTooDeep(self) }
  }

  /// Ends a refresh. After a failure, the next resolve tries again.
  ///
  /// The new instance is never lent early. If it needs an instance being built around the refresh,
  /// as the old instance does, a resolve from outside can build it.
  ///
  /// - Returns: the new instance; the old, for a cycle found by a resolve inside a construction.
  final func end(
    _ construction: Construction, refreshing old: AnyInstanceBox, in state: InstanceState,
    with result: Result<AnyInstanceBox, any Error>
  ) throws(ResolutionError) -> AnyInstanceBox {
    do {
      let box = try result.get()
      // An instance that refers to an incomplete instance is for this resolution alone.
      if construction.isLinked {
        old.expiry?.abandonRefresh()
        return box
      }
      box.expiry = scope.cachePolicy.map { Expiry($0) }
      // In vain if a second refresh came first, which takes a fork during a refresh.
      let former = unsafe PlaceWord(Unmanaged.passUnretained(old), isInstance: false)
      _ = state.replace(former, with: box)
      return box
    } catch {
      old.expiry?.abandonRefresh()
      let error = ResolutionError(error, thrownBy: self)
      let isNested = construction.enclosing != nil || construction.requesting != nil
      if case .circularDependencyDetected = error, isNested { return old }
      throw error
    }
  }
}
