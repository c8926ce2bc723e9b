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
    try ResolutionContext.refuseCapture(of: self, beyond: scope, requestedBy: requester)
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
    try ResolutionContext.refuseCapture(of: self, beyond: scope, requestedBy: requester)
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

  func existingGraphPlace(
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
