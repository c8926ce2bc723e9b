// SPDX-License-Identifier: MIT

/// The construction protocol: how a shared instance comes to be, once.
extension RegistrationRecord {
  /// The instance of a simple registration, built by this call or by one that came before.
  ///
  /// What nested constructions leave on the stack is kept small: each step is a function of its own.
  ///
  /// - Parameters:
  ///   - registry: the container that was asked.
  ///   - construction: the construction whose resolver asks, if any.
  ///   - factory: runs the factory in code that is specialised for its product.
  @usableFromInline
  final func simpleBox(
    in slot: SlotReference, for registry: ContainerCore, within construction: Construction?,
    arguments: AnyArguments?, specialised factory: SpecialisedFactory?
  ) throws(ResolutionError) -> AnyInstanceBox {
    var found: AnyInstanceBox?
    let begun = try begin(
      in: slot, for: registry, within: construction, arguments: arguments, orFind: &found)
    guard let begun else { return unsafe found.unsafelyUnwrapped }
    let box: AnyInstanceBox
    do {
      if let factory {
        box = try factory(self, begun.home, begun)
      } else {
        box = try build(Resolver(registry: begun.home, construction: begun), arguments)
      }
    } catch {
      throw fail(begun, error)
    }
    if finish(begun, with: box, in: slot, arguments) { return box }
    return try end(begun, with: box, in: slot, within: construction, arguments: arguments)
  }

  /// A function without a context: passing it on counts no references.
  @usableFromInline typealias SpecialisedFactory =
    @Sendable (RegistrationRecord, ContainerCore, Construction) throws -> AnyInstanceBox

  /// The short way: the instance is there, or nobody is building it. Otherwise it goes the long way.
  ///
  /// - Parameter found: the instance, if nothing was begun.
  /// - Returns: the construction that the caller has to go on with, if one was begun.
  private func begin(
    in slot: SlotReference, for registry: ContainerCore, within construction: Construction?,
    arguments: AnyArguments?, orFind found: inout AnyInstanceBox?
  ) throws(ResolutionError) -> Construction? {
    let requester = Construction.unfinished(construction)
    let location = try locate(for: registry, requester, arguments: arguments)
    switch location.state.current {
    case .built(let built):
      // SAFETY: states of simple registrations hold boxes of this class, for as long as they exist.
      let box = unsafe unsafeDowncast(built.takeUnretainedValue(), to: AnyInstanceBox.self)
      show(box, in: slot, arguments)
      found = box
      return nil
    case .empty:
      let home = unsafe location.home.takeUnretainedValue()
      let construction =
        location.construction
        ?? Construction(of: self, keptBy: keeper(in: home), requestedBy: requester)
      if unsafe location.state.claim(construction, replacing: nil) {
        unsafe construction.enter(building: location.state, in: location.home)
        return construction
      }
    case .building, .sealed: break
    }
    found = try box(in: InstancePlace(location, slot, requester, arguments))
    return nil
  }

  /// Ends a construction that concerns no other.
  ///
  /// - Returns: whether it is one.
  private func finish(
    _ begun: Construction, with box: AnyInstanceBox, in slot: SlotReference,
    _ arguments: AnyArguments?
  ) -> Bool {
    if begun.isEntangled { return false }
    unsafe box.registration = Unmanaged.passUnretained(self)
    unsafe begun.leaveShortWay().state.finish(begun, with: box)
    show(box, in: slot, arguments)
    Reclamation.reclaim()
    return true
  }

  /// Ends one that does, on the long way.
  private func end(
    _ begun: Construction, with box: AnyInstanceBox, in slot: SlotReference,
    within construction: Construction?, arguments: AnyArguments?
  ) throws(ResolutionError) -> AnyInstanceBox {
    let (state, home) = unsafe begun.leaveShortWay()
    let location = unsafe InstanceLocation(
      state: state, home: home,
      construction: scope.kind == .graph && begun.isBeginning ? begun : nil)
    let place = InstancePlace(location, slot, Construction.unfinished(construction), arguments)
    if let box = try endEntangled(begun, in: place, with: box) { return box }
    return try self.box(in: place)
  }

  /// Runs what actions further in have put off until now, inside of the construction, and ends it.
  private func endEntangled(
    _ begun: Construction, in place: InstancePlace, with box: AnyInstanceBox
  ) throws(ResolutionError) -> AnyInstanceBox? {
    let previous = Construction.running
    begun.enter()
    do { return try complete(box, begun, in: place, after: previous) } catch {
      begun.leave(to: previous)
      throw fail(begun, in: place.state, error)
    }
  }

  private func fail(_ begun: Construction, _ error: any Error) -> ResolutionError {
    defer { Reclamation.reclaim() }
    return fail(begun, in: unsafe begun.leaveShortWay().state, error)
  }

  /// The long way.
  @usableFromInline
  final func box(in place: InstancePlace) throws(ResolutionError) -> AnyInstanceBox {
    if scope.kind == .transient { return try transientBox(in: place) }
    var box: AnyInstanceBox?
    while true {
      if place.isOver { return try self.box(in: renewed(place)) }
      if let begun = try begin(in: place, orFind: &box) { box = try build(begun, in: place) }
      if let box { return box }
    }
  }

  /// A step of its own, so that the frames of nested constructions stay small.
  ///
  /// - Parameter box: the instance, if there is one.
  /// - Returns: what the caller has begun and has to go on with, if that is so.
  private func begin(
    in place: InstancePlace, orFind box: inout AnyInstanceBox?
  ) throws(ResolutionError) -> BegunConstruction? {
    switch begin(in: place, mayBuild: !isAsynchronous) {
    case .instance(let found): box = found
    case .underWay: box = try wait(in: place)
    case .begun(let begun): return begun
    case .refresh(let old): box = try refresh(old, in: place)
    case .refused: throw .asyncResolutionRequired(ResolutionError.Context(refusing: self))
    case .closed: throw place.resolver.registry.missing(key)
    }
    return nil
  }

  /// A new instance, which nobody shares.
  final func transientBox(in place: InstancePlace) throws(ResolutionError) -> AnyInstanceBox {
    guard !isAsynchronous else {
      throw .asyncResolutionRequired(ResolutionError.Context(refusing: self))
    }
    let section = Section.enter()
    let level = try section.pushFrame(
      place.slot, recursions: place.arguments == nil ? 0 : Section.argumentRecursions)
    let registry = place.resolver.registry
    let resolution = registry.resolution(within: place.resolver.construction)
    defer {
      resolution.end()
      level.end()
      section.leave()
    }
    do {
      let resolver = Resolver(registry: registry, construction: resolution.construction)
      return try initialised(build(resolver, place.arguments), for: resolver)
    } catch {
      throw ResolutionError(error, thrownBy: self)
    }
  }

  /// Runs the actions of an instance that is lent to nobody.
  private func initialised(
    _ box: AnyInstanceBox, for resolver: Resolver
  ) throws -> AnyInstanceBox {
    for case .synchronous(let action) in lifecycle.afterInit { try action(resolver, box) }
    return box
  }

  // MARK: - Beginning

  /// What a resolve has to do for its instance.
  @safe
  enum Beginning {
    case instance(AnyInstanceBox)
    /// Wait: somebody is building it.
    case underWay
    /// Build it: the construction has been claimed.
    case begun(BegunConstruction)
    /// Build a newer one, while others are served this one.
    case refresh(AnyInstanceBox)
    /// Nothing: the caller may not build.
    case refused
    case closed
  }

  final func begin(in place: InstancePlace, mayBuild: Bool) -> Beginning {
    while true {
      if let box = customInstance(in: place) { return .instance(box) }
      // The section keeps a box alive that another thread replaces, and keeps its address from being used
      // again before the claim below has compared it.
      let section = Section.enter()
      defer { section.leave() }
      let outdated: Unmanaged<AnyObject>?
      switch place.state.current {
      case .building: return .underWay
      case .sealed: return .closed
      case .empty: unsafe outdated = nil
      case .built(let built):
        if let found = unsafe usable(built, in: place, mayBuild: mayBuild) { return found }
        unsafe outdated = built
      }
      guard mayBuild else { return .refused }
      let construction =
        place.construction
        ?? Construction(
          of: self, keptBy: keeper(in: place.resolver.registry),
          requestedBy: place.resolver.construction)
      if scope.kind == .custom { construction.assign(number: place.resolution) }
      if unsafe place.state.claim(construction, replacing: outdated) {
        // Somebody may have set one since the look above.
        if let box = customInstance(in: place) {
          place.state.finish(construction, with: nil)
          return .instance(box)
        }
        return unsafe .begun(BegunConstruction(construction: construction, outdated: outdated))
      }
    }
  }

  /// The container that is going to keep an instance whose dependencies are resolved in `home`.
  final func keeper(in home: ContainerCore) -> ContainerCore? {
    scope.kind == .graph ? nil : home
  }

  /// What to do with an instance that has been built before; `nil` when it is of no use any more.
  private func usable(
    _ built: Unmanaged<AnyObject>, in place: InstancePlace, mayBuild: Bool
  ) -> Beginning? {
    let object = unsafe built.takeUnretainedValue()
    if scope.kind == .weak {
      // SAFETY: a weak registration's states only ever hold boxes of this class, others the one below.
      return unsafe unsafeDowncast(object, to: AnyWeakBox.self).makeStrongBox()
        .map { .instance($0) }
    }
    let box = unsafe unsafeDowncast(object, to: AnyInstanceBox.self)
    // The one who built it may not have come to this yet, or was left behind by a fork.
    show(box, in: place.slot, place.arguments)
    guard let expiry = box.expiry, expiry.isExpired else { return .instance(box) }
    guard scope.cachePolicy?.servesStale == true else { return nil }
    let mayRefresh = mayBuild && expiry.beginRefresh(onThread: !isAsynchronous)
    return mayRefresh ? .refresh(box) : .instance(box)
  }

  final func customInstance(in place: InstancePlace) -> AnyInstanceBox? {
    guard let custom = lifecycle.customInstance else { return nil }
    return custom.get(InstanceContext(place))
  }

  /// Waits for the construction under way.
  ///
  /// - Returns: the instance if it was lent before its time; `nil` to look again.
  private func wait(in place: InstancePlace) throws(ResolutionError) -> AnyInstanceBox? {
    if isAsynchronous {
      // A thread of the pool that runs tasks is not to be blocked by one of them.
      let lent = WaitForGraph.borrow(from: place.state, requestedBy: place.resolver.construction)
      if let lent { return lent }
      throw .asyncResolutionRequired(ResolutionError.Context(refusing: self))
    }
    return try box(
      after: WaitForGraph.wait(for: place.state, requestedBy: place.resolver.construction))
  }

  /// What a wait has led to; `nil` to look again.
  final func box(after outcome: Wait.Outcome) throws(ResolutionError) -> AnyInstanceBox? {
    switch outcome {
    case .retry: return nil
    case .lent(let box): return box
    case .cycle(let path):
      throw .circularDependencyDetected(ResolutionError.Context(cycle: path))
    case .cancelled:
      throw .underlyingError(ResolutionError.Context(failureOf: self, CancellationError()))
    case .failed(let error):
      throw error
    }
  }

  // MARK: - Building

  /// Runs the factory as the claimed construction and publishes its product, or gives the claim back.
  ///
  /// - Returns: `nil` when the instance is not complete yet, or was given up for the sake of one that it
  ///   depends on: look again.
  final func build(
    _ begun: BegunConstruction, in place: InstancePlace
  ) throws(ResolutionError) -> AnyInstanceBox? {
    defer { begun.retireOutdated() }
    let previous = Construction.running
    begun.construction.enter()
    do {
      let box = try build(
        Resolver(registry: place.resolver.registry, construction: begun.construction),
        place.arguments)
      return try complete(box, begun.construction, in: place, after: previous)
    } catch {
      // A product that was refused is destroyed by now, inside of the construction: its deinit could
      // otherwise wait for the construction that it is a part of.
      begun.construction.leave(to: previous)
      throw fail(begun.construction, in: place.state, error)
    }
  }

  /// What follows on the factory. A step of its own, as ``begin(in:orFind:)`` is.
  private func complete(
    _ box: AnyInstanceBox, _ construction: Construction, in place: InstancePlace,
    after previous: Construction?
  ) throws -> AnyInstanceBox? {
    let kept = try kept(box)
    let isDone = try initialise(box, for: construction, in: place)
    construction.leave(to: previous)
    return isDone && end(construction, in: place, with: box, kept: kept) ? box : nil
  }

  /// What the place's state holds of an instance; `nil` when the user keeps it.
  final func kept(_ box: AnyInstanceBox) throws(InstanceError) -> KeptBox {
    switch scope.kind {
    case .custom: return KeptBox(object: nil)
    case .weak: return KeptBox(object: try box.makeWeakBox())
    default:
      box.expiry = scope.cachePolicy.map { Expiry($0) }
      unsafe box.registration = Unmanaged.passUnretained(self)
      return KeptBox(object: box)
    }
  }

  /// Publishes a claimed construction's instance, as soon as all that it borrowed from is complete.
  ///
  /// - Returns: whether that is so.
  final func end(
    _ construction: Construction, in place: InstancePlace, with box: AnyInstanceBox, kept: KeptBox
  ) -> Bool {
    guard construction.isEntangled || !lifecycle.afterInit.isEmpty else {
      publish(construction, in: place, box, kept: kept)
      return true
    }
    return WaitForGraph.end(construction, with: box) { [self] isComplete in
      if isComplete {
        publish(construction, in: place, box, kept: kept)
      } else {
        place.state.finish(construction, with: nil)
      }
    }
  }

  private func publish(
    _ construction: Construction, in place: InstancePlace, _ box: AnyInstanceBox, kept: KeptBox
  ) {
    if !lifecycle.disposers.isEmpty { box.markCompleted() }
    if let custom = lifecycle.customInstance {
      // Inside of the construction: what is set may ask for the very product, and must not wait for it.
      let previous = Construction.running
      construction.enter()
      custom.set(box, InstanceContext(place))
      construction.leave(to: previous)
    }
    place.state.finish(
      construction, with: kept.object, handing: scope.kind == .custom ? nil : box)
    show(box, in: place.slot, place.arguments)
  }

  /// Has the slot of a singleton show its instance, where resolves find it without coming here.
  ///
  /// Fails when the registration has been overridden meanwhile. The instance then serves those who asked before
  /// that, and goes away with the registration.
  private func show(_ box: AnyInstanceBox, in slot: SlotReference, _ arguments: AnyArguments?) {
    if scope.kind == .singleton, arguments == nil {
      slot.replace(SlotWord(self), with: SlotWord(box))
    }
  }

  /// - Returns: what the resolve throws.
  final func fail(
    _ construction: Construction, in state: InstanceState, _ error: any Error
  ) -> ResolutionError {
    let error = ResolutionError(error, thrownBy: self)
    if construction.isEntangled || !lifecycle.afterInit.isEmpty { WaitForGraph.fail(construction) }
    state.finish(construction, with: nil, error: error)
    return error
  }

  final func refresh(
    _ old: AnyInstanceBox, in place: InstancePlace
  ) throws(ResolutionError) -> AnyInstanceBox {
    let construction = Construction(
      of: self, keptBy: keeper(in: place.resolver.registry),
      requestedBy: place.resolver.construction, isShared: false)
    let previous = Construction.running
    construction.enter()
    defer {
      construction.markFinished()
      Reclamation.reclaim()
    }
    do {
      let resolver = Resolver(registry: place.resolver.registry, construction: construction)
      let box = try initialised(build(resolver, place.arguments), for: resolver)
      construction.leave(to: previous)
      replace(old, with: box, in: place, builtBy: construction)
      return box
    } catch {
      construction.leave(to: previous)
      old.expiry?.abandonRefresh()
      throw ResolutionError(error, thrownBy: self)
    }
  }

  /// Publishes what a refresh has built.
  final func replace(
    _ old: AnyInstanceBox, with box: AnyInstanceBox, in place: InstancePlace,
    builtBy construction: Construction
  ) {
    // What holds an instance that is not complete is for its own resolution only.
    if construction.isEntangled {
      old.expiry?.abandonRefresh()
      return
    }
    box.expiry = scope.cachePolicy.map { Expiry($0) }
    guard place.state.replace(old, with: box) else { return }
    unsafe Reclamation.retire(Unmanaged<AnyObject>.passUnretained(old))
  }
}

/// What a place's state is going to hold of an instance; nothing when the user keeps it.
// SAFETY: a box of the core's, which are safe to share.
struct KeptBox: @unchecked Sendable {
  let object: AnyObject?
}

/// A construction that its owner has claimed.
@safe
// SAFETY: nobody else retires the box: the claim has unlinked it.
struct BegunConstruction: @unchecked Sendable {
  let construction: Construction
  /// The box that it replaces, if any.
  let outdated: Unmanaged<AnyObject>?

  /// Called when the construction is over: what is destroyed may resolve the very instance that was being
  /// built. Objects retired meanwhile have waited too, as nothing is destroyed inside of a construction.
  func retireOutdated() {
    if let outdated = unsafe outdated { unsafe Reclamation.retire(outdated) }
    Reclamation.reclaim()
  }
}

extension Construction {
  /// The construction, unless it is over: then its resolver starts resolutions of its own.
  static func unfinished(_ construction: Construction?) -> Construction? {
    guard let construction, !construction.isFinished else { return nil }
    return construction
  }
}
