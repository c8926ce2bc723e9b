// SPDX-License-Identifier: MIT

/// Where one resolve finds the instance of a registration, or has it built.
///
/// An object, as it lies on the stack of each level of nested constructions otherwise, several times in a debug
/// build.
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

  init(
    _ state: InstanceState, in slot: SlotReference, resolver: Resolver, arguments: AnyArguments?,
    construction: Construction? = nil
  ) {
    self.state = state
    self.slot = slot
    self.resolver = resolver
    self.arguments = arguments
    self.construction = construction
  }

  /// Whether it went with its construction, and another one is needed.
  var isOver: Bool { construction?.isFinished ?? false }
}

extension RegistrationRecord {
  /// The place of the instance that `asked` is going to get.
  ///
  /// - Parameter asked: the container that was asked, and the construction that asks.
  @usableFromInline
  func place(
    in slot: SlotReference, for asked: Resolver, arguments: AnyArguments?
  ) throws(ResolutionError) -> InstancePlace {
    if let arguments, arguments.values == nil { arguments.values = values(of: arguments) }
    let requester = asked.unfinishedConstruction
    let asked = Resolver(registry: asked.registry, construction: requester)
    switch scope.kind {
    case .transient:
      return InstancePlace(instance, in: slot, resolver: asked, arguments: arguments)
    case .graph:
      return graphPlace(in: slot, for: asked, arguments)
    case .scoped:
      return try scopedPlace(in: slot, for: asked, arguments)
    case .singleton, .weak, .cached, .custom:
      return InstancePlace(
        arguments.map { instances(for: $0) } ?? instance, in: slot,
        resolver: Resolver(registry: unsafe owner, construction: requester), arguments: arguments)
    }
  }

  /// The place to look for the instance in when a resolution that began with it is over.
  func renewed(_ place: InstancePlace) -> InstancePlace {
    graphPlace(in: place.slot, for: place.resolver, place.arguments)
  }

  private func graphPlace(
    in slot: SlotReference, for asked: Resolver, _ arguments: AnyArguments?
  ) -> InstancePlace {
    let resolution = asked.unfinishedConstruction?.resolution
    if let state = resolution?.graph.state(of: self, in: asked.registry, arguments: arguments) {
      return InstancePlace(state, in: slot, resolver: asked, arguments: arguments)
    }
    // A resolution of its own, which begins with this instance. A store just made is not sealed.
    let construction = Construction(of: self, keptBy: nil, requestedBy: nil)
    let state = construction.graph.state(of: self, in: asked.registry, arguments: arguments)
    return InstancePlace(
      state ?? InstanceState(), in: slot, resolver: asked, arguments: arguments,
      construction: construction)
  }

  private func scopedPlace(
    in slot: SlotReference, for asked: Resolver, _ arguments: AnyArguments?
  ) throws(ResolutionError) -> InstancePlace {
    let nearest = asked.registry.scope
    let captor = Construction.firstKeeping(beyond: nearest, requestedBy: asked.construction)
    if let captor {
      throw .captiveDependency(ResolutionError.Context(refusing: self, capturedBy: captor.key))
    }
    guard let scope = nearest else {
      throw .scopeRequired(ResolutionError.Context(refusing: self))
    }
    guard let state = scope.instances.state(of: self, in: scope, arguments: arguments) else {
      throw scope.missing(key)
    }
    // Registered in a child of the scope, its dependencies are that child's.
    let home = unsafe owner.isWithin(scope) ? unsafe owner : scope
    return InstancePlace(
      state, in: slot, resolver: Resolver(registry: home, construction: asked.construction),
      arguments: arguments)
  }
}

extension Construction {
  /// The innermost unfinished construction, of those that a resolve is a part of, whose instance is kept for
  /// longer than the instances of `scope`.
  fileprivate static func firstKeeping(
    beyond scope: SlotRegistry?, requestedBy requester: Construction?
  ) -> Construction? {
    let innermost = innermost(requestedBy: requester)
    if innermost.isEmpty { return nil }
    return unfinishedChain(of: innermost).first { construction in
      guard let keeper = unsafe construction.keeper else { return false }
      guard let scope else { return true }
      return !keeper.isWithin(scope)
    }
  }
}
