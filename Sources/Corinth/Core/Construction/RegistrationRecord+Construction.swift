// SPDX-License-Identifier: MIT

/// How a resolve gets a shared instance: finds it, waits for it, or claims the state and builds.
///
/// Nested constructions are nested calls of these functions. Every step is a separate function, to
/// leave little on the stack.
extension RegistrationRecord {
  /// Finds the instance, perhaps after a wait, or claims the state.
  ///
  /// - Parameter box: the instance, if found.
  /// - Returns: the construction begun, for the caller to build, if the instance is not found; with
  ///   the reference of the state.
  final func findOrClaim(
    _ box: inout AnyInstanceBox?, _ request: Request, _ earlier: inout EarlierAttempts
  ) throws(ResolutionError) -> Unmanaged<Construction>? {
    while box == nil {
      switch try nextStep(request, &earlier) {
      case .done(let found): box = found
      case .build(let construction): return unsafe construction
      case .wait(let place): box = try wait(for: place, request.requester, earlier: &earlier)
      case .refresh(let old, let state): box = try refresh(old, in: state, request)
      case .redirect(let successor):
        if successor !== self { box = try successor.box(request) }
      }
    }
    return nil
  }

  /// An instance by the registration's scope, built by this call or by a concurrent call.
  final func box(_ request: Request) throws(ResolutionError) -> AnyInstanceBox {
    if !sharesInstances { return try transientBox(request) }
    var earlier = EarlierAttempts()
    return try resolveBox(request, after: &earlier)
  }

  // MARK: - Steps

  /// The next step: locates the instance, and claims the state if the instance must be built.
  final func nextStep(
    _ request: Request, _ earlier: inout EarlierAttempts
  ) throws(ResolutionError) -> Step {
    let requester = request.requester
    let found = earlier.located.flatMap { located in
      located.value.isOver(for: request, requester, after: earlier) ? nil : located.value
    }
    var location: InstanceLocation
    if let found {
      location = found
    } else {
      location = try locate(for: request.container, requester, request.arguments)
    }
    if policy.box == .user {
      // The number stays the same on each retry.
      if earlier.resolution != 0 { location.resolution = earlier.resolution }
      earlier.resolution = location.resolution
    }
    // A resolve about to build finds nothing here, and need not enter a section to look.
    if policy.isServedUnchanged, location.place.isBuilt,
      let box = servedInstance(at: location, request)
    {
      return .done(box)
    }
    let mayBuild = !isAsynchronous || earlier.isInTask && !isCancelled(within: requester)
    guard let step = try claim(location, request, requester, after: earlier, mayBuild: mayBuild)
    else {
      if location.place.isSealed || location.place.state?.release != nil {
        earlier.located = nil
        // A scope or resolution has ended since its cell was found, and is not found again.
        return .redirect(policy.storage == .registration ? try successor(of: request) : self)
      }
      throw earlier.isInTask ? cancellation : refusal
    }
    // All other places are found again on each retry.
    if found == nil, location.root != nil || earlier.isInTask { earlier.located = Shared(location) }
    return step
  }

  /// Whether the calling task, or the construction around, was cancelled.
  private func isCancelled(within requester: ResolutionContext?) -> Bool {
    Task.isCancelled || WaitForGraph.isCancelled(requestedBy: requester)
  }

  /// The instance, if built and served without a further look.
  private func servedInstance(
    at location: InstanceLocation, _ request: Request
  ) -> AnyInstanceBox? {
    guard let box = location.place.box(of: self) else { return nil }
    publishToSlot(box, in: request.slot, request.arguments)
    return box
  }

  /// - Returns: `nil` if the instance is missing and must not be built, or the state is sealed or
  ///   released.
  private func claim(
    _ location: InstanceLocation, _ request: Request, _ requester: ResolutionContext?,
    after earlier: borrowing EarlierAttempts, mayBuild: Bool
  ) throws(ResolutionError) -> Step? {
    while true {
      if policy.box == .user, let box = customStorage(at: location, requester, request.arguments) {
        return .done(box)
      }
      if location.mayBePublished, request.arguments == nil,
        let box = requester?.published(key, in: request.container)
      {
        return .done(box)
      }
      // The section keeps a box alive that a concurrent thread replaces, and its address from being
      // reused before the claim below has compared it.
      let section = Section.enter()
      defer { section.leave() }
      let word = location.place.load(boxedBy: self, section)
      if word.isBuilding { return .wait(location.place) }
      if word.isSealed { return nil }
      let outdated = unsafe word.content(as: AnyObject.self)
      if let built = unsafe outdated,
        let found = unsafe usable(built, in: location.place, request, mayBuild: mayBuild)
      {
        return found
      }
      guard mayBuild, request.arguments == nil || location.place.state?.release == nil else {
        return nil
      }
      try WaitForGraph.throwIfRefused(self, request, requestedBy: requester)
      let construction = unsafe try begin(at: location, request, requester)
      // SAFETY: the reference of this call, then of the state.
      if unsafe construction._withUnsafeGuaranteedRef({ $0.isTooDeep(section) }) {
        unsafe construction.release()
        throw .resolutionTooDeep(self)
      }
      guard unsafe location.place.claim(construction, replacing: word) else {
        unsafe construction.release()
        continue
      }
      unsafe construction._withUnsafeGuaranteedRef {
        unsafe $0.own(location.place, replacing: outdated)
        if let begun = earlier.begun { $0.follow(begun) }
      }
      // A concurrent thread may have set an instance since the question above.
      if policy.box == .user, let box = customStorage(at: location, requester, request.arguments) {
        unsafe construction._withUnsafeGuaranteedRef {
          $0.drop()
          $0.release()
        }
        return .done(box)
      }
      return unsafe .build(construction)
    }
  }

  @inline(__always)
  private func begin(
    at location: InstanceLocation, _ request: Request, _ requester: ResolutionContext?
  ) throws(ResolutionError) -> Unmanaged<Construction> {
    if policy.storage == .resolution {
      return unsafe try beginInGraph(
        of: request.container, requestedBy: requester, request.arguments, root: location.root)
    }
    let construction = unsafe Construction.begin(
      of: self, in: dependencies(for: request.container), requestedBy: requester,
      isNoting: notesDependencies)
    if policy.box == .user {
      // SAFETY: the reference of this call.
      unsafe construction._withUnsafeGuaranteedRef { $0.assign(number: location.resolution) }
    }
    return unsafe construction
  }

  /// - Parameter root: the construction that begins the resolution, if begun.
  @inline(__always)
  final func beginInGraph(
    of container: ContainerCore, keyIn slot: SlotReference? = nil,
    requestedBy requester: ResolutionContext?, _ arguments: AnyArguments? = nil,
    root: Construction? = nil
  ) throws(ResolutionError) -> Unmanaged<Construction> {
    let begun = unsafe root.map { unsafe Unmanaged.passRetained($0) }
    let construction =
      unsafe begun
      ?? Construction.begin(of: self, keyIn: slot, in: container, requestedBy: requester)
    // No check for a recursion: a resolution finds its own instances under way, so that a recursive
    // construction begins inside of another construction, or has arguments.
    // SAFETY: the reference of this call.
    if arguments == nil, unsafe construction._withUnsafeGuaranteedRef({ $0.isOutermost }) {
      return unsafe construction
    }
    do throws(ResolutionError) {
      try refuseRecursion(in: container, arguments, requestedBy: requester)
    } catch {
      unsafe construction.release()
      throw error
    }
    return unsafe construction
  }

  /// The step to an instance built before; `nil` for an unusable instance.
  private func usable(
    _ built: Unmanaged<AnyObject>, in place: Place, _ request: Request, mayBuild: Bool
  ) -> Step? {
    let object = unsafe built.takeUnretainedValue()
    if policy.box == .weak {
      // SAFETY: a weak registration's states hold boxes of this class, others of the class below.
      let box = unsafe unsafeDowncast(object, to: AnyWeakBox.self).makeStrongBox()
      if let box { return .done(box) }
      return nil
    }
    let box = unsafe unsafeDowncast(object, to: AnyInstanceBox.self)
    // The building thread may not have published to the slot yet, or may be lost to a fork.
    publishToSlot(box, in: request.slot, request.arguments)
    guard let expiry = box.expiry, expiry.isExpired else { return .done(box) }
    guard scope.cachePolicy?.servesStale == true, let state = place.state else { return nil }
    let mayRefresh = mayBuild && expiry.beginRefresh(onThread: !isAsynchronous)
    return mayRefresh ? .refresh(box, in: state) : .done(box)
  }

  private func customStorage(
    at location: InstanceLocation, _ requester: ResolutionContext?, _ arguments: AnyArguments?
  ) -> AnyInstanceBox? {
    guard let custom = lifecycle.customStorage else { return nil }
    let resolver = Resolver(registry: owner, construction: requester)
    return custom.get(StorageContext(resolver, location.resolution, arguments))
  }

  /// The registration in place of this one, whose instances are being disposed of; this one if only
  /// the state for some arguments has ended, and another state takes the place.
  ///
  /// - Throws: the error of a closed container, without a successor.
  @inline(never)
  private func successor(of request: Request) throws(ResolutionError) -> RegistrationRecord {
    if let instancesByArguments, !instancesByArguments.isSealed { return self }
    guard let registration = request.slot.registration, registration !== self else {
      throw dependencies(for: request.container).missing(key)
    }
    return registration
  }

  /// Publishes the instance of a singleton to the slot, for the fast path.
  ///
  /// Fails if the registration was overridden meanwhile. The instance then serves resolves begun
  /// before the override, and is released with the registration.
  final func publishToSlot(
    _ box: AnyInstanceBox, in slot: SlotReference, _ arguments: AnyArguments?
  ) {
    if policy.isPublishedToSlot, arguments == nil {
      // A value's word has a different tag, and is ready from the start.
      slot.replace(SlotWord(self, tagged: .registration), with: SlotWord(box))
    }
  }

  // MARK: - Waiting

  /// Waits on the calling thread for the construction under way.
  ///
  /// - Returns: the instance, if the wait has led to one; `nil` to retry.
  private func wait(
    for place: Place, _ requester: ResolutionContext?, earlier: inout EarlierAttempts
  ) throws(ResolutionError) -> AnyInstanceBox? {
    if isAsynchronous {
      // A task must not block a thread of the pool on which tasks run.
      if let box = WaitForGraph.earlyReference(from: place, requestedBy: requester) { return box }
      throw refusal
    }
    let outcome = WaitForGraph.wait(for: place, requestedBy: requester, after: earlier)
    return try box(after: outcome, &earlier)
  }

  /// The instance found by a wait; `nil` to retry.
  final func box(
    after outcome: Wait.Outcome, _ earlier: inout EarlierAttempts
  ) throws(ResolutionError) -> AnyInstanceBox? {
    switch outcome {
    case .retry, .passedToTask: return nil
    case .retryOnce:
      earlier.hasSeenFailure = true
      return nil
    case .instance(let box): return box
    case .cycle(let path):
      throw .circularDependencyDetected(ResolutionError.Context(cycle: path))
    case .abandoned: throw abandonment
    case .cancelled: throw cancellation
    case .refused(let key):
      let error = ResolutionError.asyncResolutionRequired(ResolutionError.Context(refusing: key))
      throw ResolutionError(error, thrownBy: self)
    case .failed(let error):
      throw error
    }
  }

  final var refusal: ResolutionError {
    .asyncResolutionRequired(ResolutionError.Context(refusingToBuild: self))
  }

  private var cancellation: ResolutionError {
    .underlyingError(ResolutionError.Context(failureOf: self, CancellationError()))
  }

  final var abandonment: ResolutionError {
    .underlyingError(ResolutionError.Context(failureOf: self, AbandonedConstruction()))
  }
}
