// SPDX-License-Identifier: MIT

/// The location of a registration's instance, for one resolve.
struct InstanceLocation: Sendable {
  /// The instance, or the construction under way.
  let place: Place
  /// The construction that begins the resolution, if the construction keeps the place itself.
  var root: Construction?
  /// Numbers the resolution, for a ``CustomStorage``.
  var resolution: UInt64 = 0
  /// Whether the resolution may have a published instance.
  var mayBePublished = false

  /// Whether the resolution with the place has ended, without an instance or before a construction.
  func isOver(
    for request: Request, _ requester: ResolutionContext?, after earlier: borrowing EarlierAttempts
  ) -> Bool {
    guard let root else {
      return !earlier.hasBegunThere && requester == nil && request.context != nil
    }
    let word = place.load()
    return root.isFinished && (word.isEmpty || word.isSealed)
  }
}

extension RegistrationRecord {
  /// Locates the instance for a resolve.
  ///
  /// - Parameters:
  ///   - container: the container asked.
  ///   - requester: the unfinished context whose resolver asks, if any.
  final func locate(
    for container: ContainerCore, _ requester: ResolutionContext?, _ arguments: AnyArguments?
  ) throws(ResolutionError) -> InstanceLocation {
    if let arguments, arguments.hashing == nil, let hashing {
      arguments.identify(by: hashing)
      if !arguments.areEqualToThemselves { throw unequalArguments }
    }
    switch policy.storage {
    case .none:
      return InstanceLocation(place: .state(self))
    case .resolution:
      return locateInResolution(for: container, requester, arguments)
    case .requestScope:
      return try locateInRequestScope(for: container, requester, arguments)
    case .registration:
      var location = InstanceLocation(
        place: .state(arguments.flatMap { instancesByArguments?.state(for: $0) } ?? self))
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
      if let place = root.graphPlace(of: self, in: container, arguments) {
        return InstanceLocation(place: place, mayBePublished: root.hasPublished)
      }
    }
    // A new resolution, which begins with this instance.
    let construction = Construction.begun(of: self, in: container, requestedBy: nil)
    guard let place = construction.graphPlace(of: self, in: container, arguments) else {
      preconditionFailure("RegistrationRecord.locateInResolution: cells just made are open")
    }
    return InstanceLocation(place: place, root: construction)
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
    // An existing instance was allowed when it was first asked for.
    if let place = scope.existingPlace(of: self, arguments) {
      return InstanceLocation(place: place)
    }
    guard let keeper = keeper(around: container) else {
      throw refusalBelowScope
    }
    return try location(storedBy: keeper, arguments)
  }

  private func location(
    storedBy scope: ContainerCore, _ arguments: AnyArguments?
  ) throws(ResolutionError) -> InstanceLocation {
    // Before a claim, as in `claimCell`.
    if requiresDisposal {
      scope.ending.expectDisposal(isAwaited: isAsynchronous || hasAsynchronousDisposers)
    }
    guard let place = scope.place(of: self, in: scope.cells, arguments) else {
      throw scope.missing(key)
    }
    return InstanceLocation(place: place)
  }

  /// The request scope that stores the instance, for a resolve by `container`; `nil` if there is
  /// none, or if the only scope of the name is outside the registering container.
  ///
  /// A scope outside would keep the instance beyond the registration, by which resolves find it.
  @inline(__always)
  final func keeper(around container: ContainerCore) -> ContainerCore? {
    if policy.isOfNamedScopes { return namedKeeper(around: container) }
    return container.isScope ? container : container.scope
  }

  @inline(never)
  private final func namedKeeper(around container: ContainerCore) -> ContainerCore? {
    // A scope for building everything in a trial stands in for a scope of the name opened there.
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

  /// The container that resolves an instance's dependencies.
  ///
  /// - Parameter container: the container asked.
  final func dependencies(for container: ContainerCore) -> ContainerCore {
    switch policy.storage {
    case .none, .resolution: return container
    case .registration: return owner
    case .requestScope:
      if container.isScope, !policy.isOfNamedScopes { return container }
      guard let scope = keeper(around: container) else { return owner }
      // Registered in a child of the scope, an instance has the child's dependencies, unless the
      // child lies in a scope further in: dependencies there would end too early.
      return owner.isWithin(scope) && owner.scope === scope ? owner : scope
    }
  }

  // MARK: - Refusals

  /// The refusal of arguments that no search would find again.
  private final var unequalArguments: ResolutionError {
    .underlyingError(
      ResolutionError.Context(failureOf: self, InstanceError.argumentNotEqualToItself(key)))
  }

  /// The refusal of an instance that only a scope outside the registering container could store.
  final var refusalBelowScope: ResolutionError {
    .scopeRequired(
      ResolutionError.Context(refusing: key, at: location, .outerScope, ofScope: scope.scopeName))
  }

  /// Refuses a request scope's instance to a construction whose instance outlives the scope.
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

  /// A hint for the factory of an instance in a request scope outside the scope needed.
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

  /// A hint for a resolve outside the scope of the running factory, often by a provider.
  private func hintAtScopeInUse(_ requester: ResolutionContext?) -> String? {
    let inUse = ResolutionContext.innermost(requestedBy: requester).contains { context in
      context.firstInChain { $0.asConstruction?.container.scope != nil } != nil
    }
    return inUse
      ? "a request scope is in use, but this resolve, or its provider, belongs to a container outside of it: take the "
        + "provider from the scope or its resolver." : nil
  }

  /// How often a factory may recur if the recursion may end: because of different arguments, a
  /// different container, or an instance in between that is built only once.
  private static var recursionsAtMost: Int { 128 }

  /// Refuses an instance, built anew by every resolution, while an enclosing construction is
  /// already building it without an instance built once in between.
  ///
  /// - Parameter container: for a graph instance, the container asked.
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

  /// Whether a further construction of the registration would only repeat `construction`.
  private func repeats(
    _ construction: Construction, in container: ContainerCore?, _ arguments: AnyArguments?
  ) -> Bool {
    guard let container else { return arguments == nil }
    return arguments == nil && construction.container === container
      || isUnderWay(in: construction.root, container, arguments)
  }

  /// Whether a resolution is building a graph instance of the registration for equal arguments.
  private func isUnderWay(
    in resolution: ResolutionContext, _ container: ContainerCore, _ arguments: AnyArguments?
  ) -> Bool {
    resolution.existingGraphPlace(of: self, in: container, arguments)?.isBuilding ?? false
  }
}

extension ResolutionContext {
  /// The place of a graph instance of the resolution that begins here; `nil` after its end.
  fileprivate func graphPlace(
    of record: RegistrationRecord, in container: ContainerCore, _ arguments: AnyArguments?
  ) -> Place? {
    if keepsGraph(of: container) { return place(of: record, in: ownCells.orMake(), arguments) }
    let further = furtherCells(orMakeFor: container)
    return further?.place(of: record, in: further?.made.orMake(), arguments)
  }

  fileprivate func existingGraphPlace(
    of record: RegistrationRecord, in container: ContainerCore, _ arguments: AnyArguments?
  ) -> Place? {
    keepsGraph(of: container)
      ? existingPlace(of: record, arguments)
      : furtherCells(of: container)?.existingPlace(of: record, arguments)
  }

  /// Whether the resolution that begins here may have graph instances, of any container.
  var hasGraphInstances: Bool { cells != nil }

  /// The box of a complete graph instance. Lock-free.
  func graphInstance(of record: RegistrationRecord, in container: ContainerCore) -> AnyInstanceBox?
  {
    existingGraphPlace(of: record, in: container, nil)?.box(of: record)
  }
}

extension ResolutionContext {
  /// Whether the calling thread is running a context for an instance kept by the scope. What the
  /// factory of such an instance asks of the scope was allowed when the instance was asked for.
  @inline(__always)
  static func isRunning(_ context: ResolutionContext?, asPartOf scope: ContainerCore) -> Bool {
    // SAFETY: the context's address is compared only: as a pointer, the context would be counted.
    guard let running = unsafe unretainedRunning,
      unsafe UInt(bitPattern: running.toOpaque()) == unsafeBitCast(context, to: UInt.self)
    else { return false }
    return unsafe running._withUnsafeGuaranteedRef { $0.isPart(ofScope: scope) }
  }

  /// A construction whose instance outlives a scope, and that asks for an instance of the scope.
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
      // First, without counting references: most constructions belong to the scope asked.
      if let scope, context.keepsGraph(of: scope) { return false }
      guard let container = context.asConstruction?.retainingContainer else { return false }
      // A construction in a scope, a resolve outside of all: the resolve is at fault, no capture.
      guard let scope else { return container.scope == nil }
      if let opener = scope.openedDuring, opener.isNested(in: context) {
        return false
      }
      // A fork of a scope has the inputs of the scope.
      return !container.isWithin(scope) && !container.searched.contains { $0 === scope }
    }?.asConstruction
  }

  /// The container to keep the instance under construction, if `container`, the current one, is a
  /// descendant or fork of that container, not made current by the factory.
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

  /// Whether an instance built once lies between the construction whose postponed actions run here
  /// and the construction around the run. Contexts between have ended by now, or go on elsewhere.
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
  /// Whether a further resolve by `requester` would find the instance, and not build a new one.
  fileprivate func isBuiltOnce(for requester: ResolutionContext?) -> Bool {
    isShared && (retainingContainer != nil || root === requester?.root)
  }
}
