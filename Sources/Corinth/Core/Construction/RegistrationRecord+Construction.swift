// SPDX-License-Identifier: MIT

/// How a resolve gets a shared instance: it finds it, waits for it, or claims its state and builds it.
///
/// Nested constructions are nested calls of these functions. Each step is a function of its own, so that they
/// leave little on the stack.
extension RegistrationRecord {
  /// The instance of a shared scope, built by this call or by another one.
  ///
  /// - Parameters:
  ///   - container: the container that was asked.
  ///   - context: the context whose resolver asks, if any.
  ///   - location: where the resolve has begun before, if it has.
  ///   - earlier: what it has gone through before.
  final func resolveBox(
    in slot: SlotReference, for container: ContainerCore, within context: ResolutionContext?,
    arguments: AnyArguments?, at location: consuming InstanceLocation? = nil,
    after earlier: consuming EarlierAttempts = EarlierAttempts()
  ) throws(ResolutionError) -> AnyInstanceBox {
    while true {
      var box: AnyInstanceBox?
      let claimed = try findOrClaim(
        &box, at: &location, in: slot, for: container, within: context, arguments: arguments,
        &earlier)
      if let construction = claimed {
        if earlier.begun != nil { earlier.begin(construction) }
        construction.enterForBuilding()
        do {
          box =
            try construction.isComposed
            ? buildComposed(construction.resolver, arguments)
            : build(construction.resolver, arguments)
        } catch {
          try give(back: construction, because: error)
        }
        if box != nil { box = try complete(&box, construction, in: slot, arguments) }
        if box == nil { earlier.begin(construction) }
      }
      if let box { return box }
    }
  }

  /// Finds the instance, which may take a wait, or claims its state.
  ///
  /// - Parameters:
  ///   - box: the instance, if it is found.
  ///   - location: where the caller has begun before, or begins now.
  ///   - earlier: what the resolve has gone through.
  /// - Returns: the construction that the caller has begun now, and has to build, if the instance is not found.
  private func findOrClaim(
    _ box: inout AnyInstanceBox?, at location: inout InstanceLocation?, in slot: SlotReference,
    for container: ContainerCore, within context: ResolutionContext?, arguments: AnyArguments?,
    _ earlier: inout EarlierAttempts
  ) throws(ResolutionError) -> Construction? {
    if isForCells, location == nil {
      box = try boxInCell(in: slot, for: container, within: context, &earlier)
      if box != nil { return nil }
    }
    while true {
      let requester = ResolutionContext.unfinished(context)
      let place = try located(location, for: container, requester, arguments)
      box = servedInstance(at: place, in: slot, arguments)
      if box != nil { return nil }
      repeat {
        switch try claim(
          place, in: slot, for: container, requester, arguments, mayBuild: !isAsynchronous)
        {
        case .claimed(let construction):
          location = place
          return construction
        case .instance(let found): box = found
        case .underWay: box = try wait(for: place.state, requester, &earlier)
        case .refresh(let old):
          box = try refresh(old, at: place, for: container, requester, arguments)
        case .refused:
          throw .asyncResolutionRequired(ResolutionError.Context(refusingToBuild: self))
        case .abandoned: box = try self.box(after: .abandoned, &earlier)
        case .closed:
          box = try boxOfSuccessor(
            in: slot, for: container, within: context, arguments: arguments)
        }
        if box != nil { return nil }
      } while !place.isOver && requester?.isFinished != true
    }
  }

  /// The registration that has taken this one's place, whose instances are being disposed of.
  ///
  /// - Throws: the error of a closed container, if there is none.
  final func successor(
    in slot: SlotReference, for container: ContainerCore
  ) throws(ResolutionError) -> RegistrationRecord {
    guard let registration = slot.registration, registration !== self else {
      throw dependencies(for: container).missing(key)
    }
    return registration
  }

  /// Out of line, to keep what goes before it short.
  @inline(never)
  private func boxOfSuccessor(
    in slot: SlotReference, for container: ContainerCore, within context: ResolutionContext?,
    arguments: AnyArguments?
  ) throws(ResolutionError) -> AnyInstanceBox {
    try successor(in: slot, for: container)
      .box(in: slot, for: container, within: context, arguments: arguments)
  }

  /// An instance according to the registration's scope, built by this call or by another one.
  final func box(
    in slot: SlotReference, for container: ContainerCore, within context: ResolutionContext?,
    arguments: AnyArguments?
  ) throws(ResolutionError) -> AnyInstanceBox {
    sharesInstances
      ? try resolveBox(in: slot, for: container, within: context, arguments: arguments)
      : try transientBox(in: slot, for: container, within: context, arguments: arguments)
  }

  /// The location, located again if the resolution that began with it has ended without an instance.
  final func located(
    _ location: InstanceLocation?, for container: ContainerCore,
    _ requester: ResolutionContext?, _ arguments: AnyArguments?
  ) throws(ResolutionError) -> InstanceLocation {
    if let location, !location.isOver { return location }
    return try locate(for: container, requester, arguments)
  }

  /// The instance, if it has been built and is served without a further look.
  private func servedInstance(
    at location: InstanceLocation, in slot: SlotReference, _ arguments: AnyArguments?
  ) -> AnyInstanceBox? {
    // A resolve that will build finds nothing here, and need not enter a section for that.
    guard policy.isServedUnchanged, case .built = location.state.current else { return nil }
    // The section keeps the box alive, as in `claim`.
    let section = Section.enter()
    defer { section.leave() }
    guard case .built(let built) = location.state.current else { return nil }
    // SAFETY: the states of instances that are served unchanged hold boxes of this class.
    let box = unsafe unsafeDowncast(built.takeUnretainedValue(), to: AnyInstanceBox.self)
    publishToSlot(box, in: slot, arguments)
    return box
  }

  // MARK: - Claiming

  final func claim(
    _ location: InstanceLocation, in slot: SlotReference, for container: ContainerCore,
    _ requester: ResolutionContext?, _ arguments: AnyArguments?, mayBuild: Bool
  ) throws(ResolutionError) -> Claim {
    while true {
      if let box = customInstance(at: location, requester, arguments) { return .instance(box) }
      if location.mayBePublished, arguments == nil,
        let box = requester?.published(key, in: container)
      {
        return .instance(box)
      }
      // The section keeps a box alive that another thread replaces, and keeps its address from being used
      // again before the claim below has compared it.
      let section = Section.enter()
      defer { section.leave() }
      let outdated: Unmanaged<AnyObject>?
      switch location.state.current {
      case .building: return .underWay
      case .sealed: return .closed
      case .empty: unsafe outdated = nil
      case .built(let built):
        if let found = unsafe usable(built, in: slot, arguments, mayBuild: mayBuild) {
          return found
        }
        unsafe outdated = built
      }
      guard mayBuild else { return .refused }
      if WaitForGraph.isAbandoned(requestedBy: requester) { return .abandoned }
      let construction = try construction(at: location, for: container, requester, arguments)
      try construction.refuseIfTooDeep(self, section)
      guard unsafe location.state.claim(construction, replacing: outdated) else { continue }
      unsafe construction.own(location.state, replacing: outdated)
      // Another thread may have set one since it was asked above.
      if let box = customInstance(at: location, requester, arguments) {
        construction.drop()
        construction.release()
        return .instance(box)
      }
      return .claimed(construction)
    }
  }

  private func construction(
    at location: InstanceLocation, for container: ContainerCore,
    _ requester: ResolutionContext?, _ arguments: AnyArguments?
  ) throws(ResolutionError) -> Construction {
    let construction =
      location.root
      ?? Construction(of: self, in: dependencies(for: container), requestedBy: requester)
    // A resolution finds its own instances under way. Others begin inside of it, or it has other arguments.
    if policy.storage == .resolution, !construction.isOutermost || arguments != nil {
      try refuseRecursion(in: container, arguments, requestedBy: requester)
    }
    if policy.box == .user { construction.assign(number: location.resolution) }
    return construction
  }

  /// The claim on an instance that has been built before; `nil` if it is unusable.
  private func usable(
    _ built: Unmanaged<AnyObject>, in slot: SlotReference, _ arguments: AnyArguments?,
    mayBuild: Bool
  ) -> Claim? {
    let object = unsafe built.takeUnretainedValue()
    if policy.box == .weak {
      // SAFETY: a weak registration's states only ever hold boxes of this class, others the one below.
      return unsafe unsafeDowncast(object, to: AnyWeakBox.self).makeStrongBox()
        .map { .instance($0) }
    }
    let box = unsafe unsafeDowncast(object, to: AnyInstanceBox.self)
    // The thread that has built it may not have done this yet, or was left behind by a fork.
    publishToSlot(box, in: slot, arguments)
    guard let expiry = box.expiry, expiry.isExpired else { return .instance(box) }
    guard scope.cachePolicy?.servesStale == true else { return nil }
    let mayRefresh = mayBuild && expiry.beginRefresh(onThread: !isAsynchronous)
    return mayRefresh ? .refresh(box) : .instance(box)
  }

  private func customInstance(
    at location: InstanceLocation, _ requester: ResolutionContext?, _ arguments: AnyArguments?
  ) -> AnyInstanceBox? {
    guard policy.box == .user, let custom = lifecycle.customInstance else { return nil }
    let resolver = Resolver(registry: owner, construction: requester)
    return custom.get(InstanceContext(resolver, location.resolution, arguments))
  }

  /// Publishes the instance of a singleton to its slot, where the fast path finds it.
  ///
  /// Fails when the registration has been overridden meanwhile. The instance then serves resolves that began
  /// before that, and is released with the registration.
  final func publishToSlot(
    _ box: AnyInstanceBox, in slot: SlotReference, _ arguments: AnyArguments?
  ) {
    if policy.isPublishedToSlot, arguments == nil {
      slot.replace(SlotWord(self), with: SlotWord(box))
    }
  }

  // MARK: - Waiting

  /// Waits for the construction under way.
  ///
  /// - Returns: the instance, if the wait has led to one; `nil` to retry.
  private func wait(
    for state: InstanceState, _ requester: ResolutionContext?,
    _ earlier: inout EarlierAttempts
  ) throws(ResolutionError) -> AnyInstanceBox? {
    if isAsynchronous {
      // A task must not block a thread of the pool that tasks run on.
      if let box = WaitForGraph.earlyReference(from: state, requestedBy: requester) { return box }
      throw .asyncResolutionRequired(ResolutionError.Context(refusingToBuild: self))
    }
    let outcome = WaitForGraph.wait(for: state, requestedBy: requester, after: earlier)
    return try box(after: outcome, &earlier)
  }

  /// The instance that a wait has led to; `nil` to retry.
  final func box(
    after outcome: Wait.Outcome, _ earlier: inout EarlierAttempts
  ) throws(ResolutionError) -> AnyInstanceBox? {
    switch outcome {
    case .retry: return nil
    case .retryOnce:
      earlier.hasSeenFailure = true
      return nil
    case .instance(let box): return box
    case .cycle(let path):
      throw .circularDependencyDetected(ResolutionError.Context(cycle: path))
    case .abandoned:
      throw .underlyingError(ResolutionError.Context(failureOf: self, AbandonedConstruction()))
    case .cancelled:
      throw .underlyingError(ResolutionError.Context(failureOf: self, CancellationError()))
    case .refused(let key):
      let error = ResolutionError.asyncResolutionRequired(ResolutionError.Context(refusing: key))
      throw ResolutionError(error, thrownBy: self)
    case .failed(let error):
      throw error
    }
  }
}

/// The next step of a resolve for its instance.
enum Claim: ~Copyable {
  case instance(AnyInstanceBox)
  /// Wait: another thread or task is building it.
  case underWay
  /// Build it: the caller owns this construction.
  case claimed(Construction)
  /// Build a newer one, while other resolves get this one.
  case refresh(AnyInstanceBox)
  /// Nothing: the caller may not build.
  case refused
  /// Nothing: the caller is inside of a construction that cannot be published.
  case abandoned
  case closed
}
