// SPDX-License-Identifier: MIT

internal import Synchronization

/// A registration that serves another registration's instances under its own type.
///
/// Every resolve looks the target up, in the container asked: both keys lead to the same instance.
// SAFETY: see the superclass.
final class ForwardRecord<Product>: RedirectingRecord, @unchecked Sendable {
  private let target: RegistrationKey
  /// The identity of a type of instances whose conformance was found to belong to no actor.
  private let typeOfNoActor = Atomic<UInt>(0)

  init(_ attributes: RegistrationAttributes, to target: RegistrationKey) {
    self.target = target
    super.init(attributes, factoryKind: .forwarding)
  }

  override var forwardedKey: RegistrationKey? { target }

  override func makeCopy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    ForwardRecord(attributes, to: target)
  }

  override func build(
    _ uncounted: UncountedResolver, _ arguments: AnyArguments?
  ) throws -> AnyInstanceBox {
    let resolver = uncounted.counted
    let served = try Observation.ofTarget(forwardedBy: owner).around {
      try resolver.registry.servedBox(
        of: target, arguments: arguments, within: resolver.construction)
    }
    return try decorated(served, resolver)
  }

  override func redirect(_ resolver: Resolver, _ arguments: AnyArguments?) -> Redirect {
    Redirect(
      goal: .each, keys: [target], arguments: arguments,
      observation: Observation.ofTarget(forwardedBy: owner)
    ) { [self] served in try decorated(served[0], resolver) }
  }

  /// The instance with this key's decorators, from the container of the instance. The decorators
  /// are applied once: two threads may run them for the first resolve, but get the same instance.
  private func decorated(_ served: Served, _ resolver: Resolver) throws -> AnyInstanceBox {
    let (served, record) = served
    guard Composition.isUsed else { return try box(of: served) }
    let owner = ownerOfInstance(servedBy: record, for: resolver.registry)
    let decorators = owner?.decorators(of: key) ?? []
    let resolver = Resolver(
      registry: owner ?? resolver.registry, construction: resolver.construction)
    // Also without decorators: a forward to this key needs the same box on every resolve.
    var purpose = CompanionBox.Purpose(key: key, decorators: decorators)
    if let present = CompanionBox.find(purpose, in: served.companion) { return present }
    let undecorated = try box(of: served)
    if conformsOnActor(served.product) {
      // Found by nobody else: a resolve elsewhere fails in the cast.
      purpose.decorators.append(actorMark)
      if let present = CompanionBox.find(purpose, in: served.companion) { return present }
    }
    let decorated =
      try decorators.isEmpty
      ? undecorated
      : self.owner.observing(.decoration, of: key, serial, in: resolver.registry) {
        try wrap(undecorated, with: decorators, resolver)
      }
    return CompanionBox.add(decorated, for: purpose, to: served.companion)
  }

  override func decorators(of container: ContainerCore) -> [Decorator] {
    let record = container.registeredSlot(of: target)?.registration
    return ownerOfInstance(servedBy: record, for: container)?.decorators(of: key) ?? []
  }

  /// The container of the instance at the end of the forwards, if `container` is asked; `nil` if
  /// the product's decorators have wrapped the instance already, as the instance was registered or
  /// forwarded under the same type on the way.
  ///
  /// - Parameter record: the target's registration that served the instance. A registration with
  ///   instances in a different container may have overridden it since.
  private func ownerOfInstance(
    servedBy record: RegistrationRecord?, for container: ContainerCore
  ) -> ContainerCore? {
    if target.product == key.product { return nil }
    var (owner, next) = (container, record)
    // Circles of forwards never come here, unless one is just being made.
    for _ in 0..<Self.forwardsAtMost {
      guard let registration = next else { break }
      owner = registration.dependencies(for: container)
      guard let key = registration.forwardedKey else { break }
      if key.product == self.key.product { return nil }
      next = container.registeredSlot(of: key)?.registration
    }
    return owner
  }

  private static var forwardsAtMost: Int { 64 }

  /// Whether an instance has the forwarded type on an actor only.
  private func conformsOnActor(_ instance: Any) -> Bool {
    let type = type(of: instance)
    if typeOfNoActor.load(ordering: .relaxed) == identity(of: type) { return false }
    if actor(ofConformanceOf: type, to: Product.self) != nil { return true }
    typeOfNoActor.store(identity(of: type), ordering: .relaxed)
    return false
  }

  private func box(of served: AnyInstanceBox) throws(InstanceError) -> AnyInstanceBox {
    guard let product = served.product as? Product else {
      if isOptional(type(of: served.product), of: Product.self) {
        throw .nilInstance(product: Product.self)
      }
      throw .doesNotImplement(product: Product.self, instance: type(of: served.product))
    }
    return InstanceBox(product)
  }
}

/// Marks a box for a conformance that belongs to an actor.
private final class ActorMark: Sendable {}

private let actorMark = ActorMark()
