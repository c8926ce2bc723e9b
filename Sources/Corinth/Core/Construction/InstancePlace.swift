// SPDX-License-Identifier: MIT

/// Where one resolve finds the instance of a registration, or has it built, on the long way.
///
/// An object, as it would otherwise lie on the stack of each level of nested constructions, several times in
/// a debug build.
@usableFromInline
final class InstancePlace: Sendable {
  /// The instance, or who is building it. Not used for instances that nobody shares.
  let state: InstanceState
  /// The slot in which the registration was found.
  let slot: SlotReference
  /// The container in which the instance's dependencies are resolved, and the unfinished construction that asks.
  let resolver: Resolver
  let arguments: AnyArguments?
  /// The construction to begin, when the state is kept by that itself.
  let construction: Construction?
  /// Numbers the resolution, for an ``Instance``.
  let resolution: UInt64

  init(
    _ location: InstanceLocation, _ slot: SlotReference, _ requester: Construction?,
    _ arguments: AnyArguments?
  ) {
    state = location.state
    self.slot = slot
    let home = unsafe location.home.takeUnretainedValue()
    resolver = Resolver(registry: home, construction: requester)
    self.arguments = arguments
    construction = location.construction
    resolution = location.resolution
  }

  /// Whether it went with its construction, which left no instance, and another one is needed.
  var isOver: Bool {
    guard let construction, construction.isFinished, case .empty = state.current else {
      return false
    }
    return true
  }
}

extension InstanceContext {
  init(_ place: InstancePlace) {
    self.init(
      resolver: place.resolver, resolution: place.resolution, arguments: place.arguments)
  }
}

/// What a place has that depends on the registration's scope.
@safe
struct InstanceLocation {
  let state: InstanceState
  /// The container in which the instance's dependencies are resolved.
  // SAFETY: the container that was asked, or an ancestor: whoever asks holds it.
  let home: Unmanaged<ContainerCore>
  /// The construction to begin, when the state is kept by that itself.
  var construction: Construction?
  /// Numbers the resolution, for an ``Instance``.
  var resolution: UInt64 = 0
}

extension RegistrationRecord {
  /// The place of the instance that a container is going to get.
  ///
  /// - Parameters:
  ///   - registry: the container that was asked.
  ///   - construction: the construction whose resolver asks, if any.
  @usableFromInline
  func place(
    in slot: SlotReference, for registry: ContainerCore, within construction: Construction?,
    arguments: AnyArguments?
  ) throws(ResolutionError) -> InstancePlace {
    let requester = Construction.unfinished(construction)
    return InstancePlace(
      try locate(for: registry, requester, arguments: arguments), slot, requester, arguments)
  }

  /// The place to look for the instance in when a resolution that began with it is over.
  func renewed(_ place: InstancePlace) throws(ResolutionError) -> InstancePlace {
    try self.place(
      in: place.slot, for: place.resolver.registry, within: place.resolver.construction,
      arguments: place.arguments)
  }

  func locate(
    for registry: ContainerCore, _ requester: Construction?, arguments: AnyArguments?
  ) throws(ResolutionError) -> InstanceLocation {
    if let arguments, arguments.values == nil { arguments.values = values(of: arguments) }
    switch scope.kind {
    case .transient:
      return unsafe InstanceLocation(state: instance, home: .passUnretained(registry))
    case .graph:
      return locateInGraph(for: registry, requester, arguments)
    case .scoped:
      return try locateInScope(for: registry, requester, arguments)
    case .singleton, .weak, .cached, .custom:
      var location = unsafe InstanceLocation(
        state: arguments.map { instances(for: $0) } ?? instance, home: .passUnretained(owner))
      if scope.kind == .custom {
        location.resolution = requester?.resolution.number ?? Construction.nextNumber()
      }
      return location
    }
  }

  private func locateInGraph(
    for registry: ContainerCore, _ requester: Construction?, _ arguments: AnyArguments?
  ) -> InstanceLocation {
    if let requester,
      let state = requester.resolution.graph.state(of: self, in: registry, arguments: arguments)
    {
      return unsafe InstanceLocation(state: state, home: .passUnretained(registry))
    }
    // A resolution of its own, which begins with this instance. A store just made is not sealed.
    let construction = Construction(of: self, keptBy: nil, requestedBy: nil)
    let state = construction.graph.state(of: self, in: registry, arguments: arguments)
    return unsafe InstanceLocation(
      state: state ?? InstanceState(), home: .passUnretained(registry), construction: construction)
  }

  private func locateInScope(
    for registry: ContainerCore, _ requester: Construction?, _ arguments: AnyArguments?
  ) throws(ResolutionError) -> InstanceLocation {
    if registry.isScope { return try locate(in: registry, requester, arguments) }
    if let scope = registry.scope { return try locate(in: scope, requester, arguments) }
    try refuseCapture(beyond: nil, requester)
    throw .scopeRequired(ResolutionError.Context(refusing: self))
  }

  private func locate(
    in scope: ContainerCore, _ requester: Construction?, _ arguments: AnyArguments?
  ) throws(ResolutionError) -> InstanceLocation {
    try refuseCapture(beyond: scope, requester)
    guard let state = scope.instances.state(of: self, in: scope, arguments: arguments) else {
      throw scope.missing(key)
    }
    // Registered in a child of the scope, its dependencies are that child's.
    let home: Unmanaged<ContainerCore> =
      unsafe owner.isWithin(scope) ? .passUnretained(owner) : .passUnretained(scope)
    return unsafe InstanceLocation(state: state, home: home)
  }

  private func refuseCapture(
    beyond scope: ContainerCore?, _ requester: Construction?
  ) throws(ResolutionError) {
    if let captor = Construction.firstKeeping(beyond: scope, requestedBy: requester) {
      throw .captiveDependency(ResolutionError.Context(refusing: self, capturedBy: captor.key))
    }
  }
}

extension Construction {
  /// The innermost unfinished construction, of those that a resolve is a part of, whose instance is kept for
  /// longer than the instances of `scope`.
  fileprivate static func firstKeeping(
    beyond scope: ContainerCore?, requestedBy requester: Construction?
  ) -> Construction? {
    let running = running ?? runningInTask
    guard var next = running ?? requester else { return nil }
    func keepsLonger(_ construction: Construction) -> Bool {
      guard !construction.isFinished, let keeper = unsafe construction.keeper else { return false }
      guard let scope else { return true }
      if let openedDuring = scope.openedDuring,
        openedDuring.unfinishedChain.contains(where: { $0 === construction })
      {
        return false
      }
      return !keeper.isWithin(scope)
    }
    // Nested in one way only, as most are, it takes no list.
    if running == nil || requester == nil || running === requester {
      while true {
        if keepsLonger(next) { return next }
        if next.outer != nil, next.requester != nil { break }
        guard let around = next.requester ?? next.outer else { return nil }
        next = around
      }
    }
    return unfinishedChain(of: innermost(requestedBy: requester)).first(where: keepsLonger)
  }
}
