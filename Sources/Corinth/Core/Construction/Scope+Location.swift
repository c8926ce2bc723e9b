// SPDX-License-Identifier: MIT

/// The location of a registration's instance, for one resolve.
struct InstanceLocation {
  /// The instance, or the construction that is building it.
  let state: InstanceState
  /// The construction that the resolution begins with, if it stores the state itself.
  var root: Construction?
  /// Numbers the resolution, for a ``CustomStorage``.
  var resolution: UInt64 = 0
  /// Whether the resolution may have an instance that was published into it.
  var mayBePublished = false

  /// Whether the resolve has begun to build there.
  var isBegun = false

  /// Whether the resolution that stores the state has ended: without an instance, or before the resolve has begun there.
  func isOver(for request: Request, _ requester: ResolutionContext?) -> Bool {
    guard let root else { return !isBegun && requester == nil && request.context != nil }
    guard root.isFinished, case .empty = state.current else { return false }
    return true
  }
}

extension RegistrationRecord {
  /// Locates the instance that a resolve will get.
  ///
  /// - Parameters:
  ///   - container: the container that was asked.
  ///   - requester: the unfinished context whose resolver asks, if any.
  final func locate(
    for container: ContainerCore, _ requester: ResolutionContext?, _ arguments: AnyArguments?
  ) throws(ResolutionError) -> InstanceLocation {
    if let arguments, arguments.hashing == nil, let hashing { arguments.identify(by: hashing) }
    switch policy.storage {
    case .none:
      return InstanceLocation(state: self)
    case .resolution:
      return locateInResolution(for: container, requester, arguments)
    case .requestScope:
      return try locateInRequestScope(for: container, requester, arguments)
    case .registration:
      var location = InstanceLocation(
        state: arguments.flatMap { instancesByArguments?.state(for: $0) } ?? self)
      if policy.box == .user {
        location.resolution = requester?.root.number ?? ResolutionContext.nextNumber()
      }
      return location
    }
  }

  private func locateInResolution(
    for container: ContainerCore, _ requester: ResolutionContext?, _ arguments: AnyArguments?
  ) -> InstanceLocation {
    if let requester {
      let root = requester.root
      if let state = root.graphState(of: self, in: container, arguments) {
        return InstanceLocation(state: state, mayBePublished: root.hasPublished)
      }
    }
    // A resolution of its own, which begins with this instance. A store just made is not sealed.
    let construction = Construction.begun(of: self, in: container, requestedBy: nil)
    let state = construction.graphState(of: self, in: container, arguments)
    return InstanceLocation(state: state ?? InstanceState(), root: construction)
  }

  private func locateInRequestScope(
    for container: ContainerCore, _ requester: ResolutionContext?, _ arguments: AnyArguments?
  ) throws(ResolutionError) -> InstanceLocation {
    if policy.isOfNamedScopes {
      return try locateInNamedScope(for: container, requester, arguments)
    }
    let scope = keeper(around: container)
    try refuseCapture(beyond: scope, requester)
    guard let scope else {
      throw .scopeRequired(
        ResolutionError.Context(refusing: self, hint: hintAtScopeInUse(requester)))
    }
    return try location(storedBy: scope, arguments)
  }

  private func locateInNamedScope(
    for container: ContainerCore, _ requester: ResolutionContext?, _ arguments: AnyArguments?
  ) throws(ResolutionError) -> InstanceLocation {
    let scope = namedScope(around: container)
    try refuseCapture(beyond: scope, requester)
    guard let scope else {
      throw .scopeRequired(
        ResolutionError.Context(
          refusing: self, hint: hintAtOuterKeeper(requester, in: container)))
    }
    // An instance that is there was allowed when it was first asked for.
    if !scope.instances.isSealed,
      let state = scope.instances.existingState(of: self, in: scope, arguments: arguments)
    {
      return InstanceLocation(state: state)
    }
    guard let keeper = keeper(around: container) else {
      throw refusalBelowScope
    }
    return try location(storedBy: keeper, arguments)
  }

  private func location(
    storedBy scope: ContainerCore, _ arguments: AnyArguments?
  ) throws(ResolutionError) -> InstanceLocation {
    guard let state = scope.scopedState(of: self, arguments: arguments) else {
      throw scope.missing(key)
    }
    return InstanceLocation(state: state)
  }

  /// The request scope that stores the instance for a container that is asked; `nil` if there is none, or only one of the name
  /// that is outside of the registering container.
  ///
  /// Such a scope would keep the instance for longer than the registration, without which no resolve finds it.
  @inline(__always)
  final func keeper(around container: ContainerCore) -> ContainerCore? {
    if policy.isOfNamedScopes { return namedKeeper(around: container) }
    return container.isScope ? container : container.scope
  }

  @inline(never)
  private final func namedKeeper(around container: ContainerCore) -> ContainerCore? {
    // A scope in which all is built for a trial is also one of the name that may be opened there.
    isBelowScope(around: container) ? container.scopeOfAllNames : namedScope(around: container)
  }

  /// Whether the nearest request scope of the name is outside of the registering container.
  final func isBelowScope(around container: ContainerCore) -> Bool {
    guard owner.hasParent, let scope = namedScope(around: container) else { return false }
    return owner !== scope && owner.isWithin(scope)
  }

  /// The nearest request scope of the name.
  @inline(never)
  private final func namedScope(around container: ContainerCore) -> ContainerCore? {
    scope.scopeName.flatMap(container.scope(named:))
  }

  /// The container in which an instance's dependencies are resolved.
  ///
  /// - Parameter container: the container that was asked.
  final func dependencies(for container: ContainerCore) -> ContainerCore {
    switch policy.storage {
    case .none, .resolution: return container
    case .registration: return owner
    case .requestScope:
      if container.isScope, !policy.isOfNamedScopes { return container }
      guard let scope = keeper(around: container) else { return owner }
      // Registered in a child of the scope, its dependencies are that child's; those of a scope within it would end too early.
      return owner.isWithin(scope) && owner.scope === scope ? owner : scope
    }
  }

  // MARK: - Refusals

  /// The refusal of an instance that only a scope outside of the registering container could store.
  final var refusalBelowScope: ResolutionError {
    .scopeRequired(
      ResolutionError.Context(refusing: key, at: location, .outerScope, ofScope: scope.scopeName))
  }

  /// Refuses an instance of a request scope to a construction whose instance outlives the scope.
  @inline(__always)
  final func refuseCapture(
    beyond scope: ContainerCore?, _ requester: ResolutionContext?
  ) throws(ResolutionError) {
    guard let captor = ResolutionContext.captor(beyond: scope, requestedBy: requester) else {
      return
    }
    throw .captiveDependency(
      ResolutionError.Context(refusing: self, capturedBy: ResolutionError.Captor(captor)))
  }

  /// For a resolve from the factory of an instance whose request scope is outside of the one that the resolve needs.
  private func hintAtOuterKeeper(
    _ requester: ResolutionContext?, in container: ContainerCore
  ) -> String? {
    guard
      let asker = ResolutionContext.innermost(requestedBy: requester).firstResult({ context in
        context.firstInChain { $0.asConstruction?.retainingContainer === container }?.asConstruction
      }), let scope = container.scope
    else { return nil }
    let keeper = scope.scopeName.map { "the scope \($0.value.literal)" } ?? "a scope"
    return
      "\(asker.key) is kept by \(keeper), and its dependencies are resolved there: register \(asker.key) as "
      + ".\(self.scope) too, or pass \(key) to its functions."
  }

  /// For a resolve through a container outside of the scope whose factory runs: it often comes from a provider.
  private func hintAtScopeInUse(_ requester: ResolutionContext?) -> String? {
    let inUse = ResolutionContext.innermost(requestedBy: requester).contains { context in
      context.firstInChain { $0.asConstruction?.container.scope != nil } != nil
    }
    return inUse
      ? "a request scope is in use, but this resolve, or its provider, belongs to a container outside of it: take the "
        + "provider from the scope or its resolver." : nil
  }

  /// The number of times that a factory may recur if the recursion may end: with other arguments, in another container, or
  /// because of an instance in between that is built only once.
  private static var recursionsAtMost: Int { 128 }

  /// Refuses an instance that each resolution builds again, when an enclosing construction is already building it, and
  /// no construction in between builds an instance only once.
  ///
  /// - Parameter container: for a graph instance, the container that was asked.
  final func refuseRecursion(
    in container: ContainerCore?, _ arguments: AnyArguments?,
    requestedBy requester: ResolutionContext?
  ) throws(ResolutionError) {
    try ResolutionContext.forEachInnermost(requestedBy: requester) {
      context throws(ResolutionError) in
      var recursions = 0
      var mayEnd = false
      let found = context.firstInChain { context in
        guard let construction = context.asConstruction else {
          if context.resumesAcrossInstanceBuiltOnce { mayEnd = true }
          return false
        }
        if construction.isBuiltOnce(for: requester) { mayEnd = true }
        guard construction.serial == serial else { return false }
        recursions += 1
        return recursions > Self.recursionsAtMost
          || !mayEnd && repeats(construction, in: container, arguments)
      }
      if found != nil {
        throw .circularDependencyDetected(ResolutionError.Context(cycle: [key]))
      }
    }
  }

  /// Whether a construction of this registration builds the same as a further one would.
  private func repeats(
    _ construction: Construction, in container: ContainerCore?, _ arguments: AnyArguments?
  ) -> Bool {
    guard let container else { return arguments == nil }
    return arguments == nil && construction.container === container
      || isUnderWay(in: construction.root, container, arguments)
  }

  /// Whether a resolution is building its graph instance for the same values of the arguments.
  private func isUnderWay(
    in resolution: ResolutionContext, _ container: ContainerCore, _ arguments: AnyArguments?
  ) -> Bool {
    if let word = resolution.cell(of: self, in: container)?.load(), !word.isHandedOver {
      return word.isBuilding
    }
    guard
      let state = resolution.graph.existingState(of: self, in: container, arguments: arguments),
      case .building = state.current
    else { return false }
    return true
  }
}

extension ResolutionContext {
  /// The state of a graph instance of the resolution that begins here; `nil` once that has ended. What its cell holds goes
  /// over to the state.
  fileprivate func graphState(
    of record: RegistrationRecord, in container: ContainerCore, _ arguments: AnyArguments?
  ) -> InstanceState? {
    guard record.isForCells, let keeper = keeper(in: container) else {
      return graph.state(of: record, in: container, arguments: arguments)
    }
    return keeper.cellsForUse.flatMap { keeper.state(of: record, in: $0) }
  }

  /// Whether the resolution that begins here may have instances, of whatever container.
  var hasGraphInstances: Bool {
    !graph.isUnused || (self as? GraphContext)?.cells != nil
  }

  /// The state of a graph instance, if that has one and nobody builds it in a cell. Lock-free.
  func existingGraphState(
    of record: RegistrationRecord, in container: ContainerCore
  ) -> InstanceState? {
    guard let cell = cell(of: record, in: container) else {
      return graph.existingState(of: record, in: container, arguments: nil)
    }
    // To take over what is under way would take a lock.
    if cell.load().isBuilding { return nil }
    return keeper(in: container)?.state(of: record, insteadOf: cell)
  }

  /// This, if its cells hold the graph instances that belong to a container.
  @inline(__always)
  func keeper(in container: ContainerCore) -> GraphContext? {
    // SAFETY: only contexts of that class keep any.
    keepsGraph(of: container) ? unsafe unsafeDowncast(self, to: GraphContext.self) : nil
  }

  fileprivate func cell(of record: RegistrationRecord, in container: ContainerCore) -> ScopeCell? {
    guard record.isForCells, let cells = keeper(in: container)?.cells else { return nil }
    return unsafe cells.cell(ownedBy: Unmanaged.passUnretained(record))
  }
}

extension ResolutionContext {
  /// Whether the calling thread is running a context, for an instance that the scope keeps: what that asks of the scope was allowed
  /// when it was itself asked for.
  @inline(__always)
  static func isRunning(_ context: ResolutionContext?, asPartOf scope: ContainerCore) -> Bool {
    // SAFETY: the context's address is compared only: as a pointer, the context would be counted.
    guard let running = unsafe unretainedRunning,
      unsafe UInt(bitPattern: running.toOpaque()) == unsafeBitCast(context, to: UInt.self)
    else { return false }
    return unsafe running._withUnsafeGuaranteedRef { $0.isPart(ofScope: scope) }
  }

  /// A construction whose instance outlives a request scope, and that asks for something of the scope.
  ///
  /// - Parameter scope: `nil` for a resolve outside of every scope.
  @inline(__always)
  static func captor(
    beyond scope: ContainerCore?, requestedBy requester: ResolutionContext?
  ) -> Construction? {
    let current = current
    if let captor = current?.captor(beyond: scope) { return captor }
    return requester === current ? nil : requester?.captor(beyond: scope)
  }

  private func captor(beyond scope: ContainerCore?) -> Construction? {
    firstInChain { context in
      // First, without a count of references: most are built in the scope that is asked.
      if let scope, context.keepsGraph(of: scope) { return false }
      guard let container = context.asConstruction?.retainingContainer else { return false }
      // In a scope that the resolve does not belong to, it is the resolve that is wrong.
      guard let scope else { return container.scope == nil }
      if let opener = scope.openedDuring, opener.isNested(in: context) {
        return false
      }
      // A fork of a scope has the inputs of that.
      return !container.isWithin(scope) && !container.searched.contains { $0 === scope }
    }?.asConstruction
  }

  /// The container that keeps the instance which is being built, if `container`, the current one, is one of its descendants
  /// or forks, and was not made the current one by the factory.
  static func owner(around container: ContainerCore) -> ContainerCore? {
    guard
      let construction = current?.firstInChain(where: {
        $0.asConstruction?.retainingContainer != nil
      }),
      let owner = construction.asConstruction?.container, owner !== container,
      container.searched.contains(where: { $0 === owner }),
      choosingCurrent?.isNested(in: construction) != true
    else { return nil }
    return owner
  }

  /// Whether an instance that is built once lies between the construction whose postponed actions run here and the one
  /// that they run inside of. Their contexts have ended by now, or go on elsewhere.
  fileprivate var resumesAcrossInstanceBuiltOnce: Bool {
    guard isResumption, let postponed = requesting else { return false }
    return postponed.hasBegun(within: enclosing) { $0.asConstruction?.retainingContainer != nil }
  }
}

extension ResolutionError.Captor {
  init(_ construction: Construction) {
    self.init(
      key: construction.key,
      location: construction.container.location(of: construction.key, serial: construction.serial))
  }
}

extension Construction {
  /// Whether a further resolve that `requester` asks for would find this instead of building another instance.
  fileprivate func isBuiltOnce(for requester: ResolutionContext?) -> Bool {
    isShared && (retainingContainer != nil || root === requester?.root)
  }
}
