// SPDX-License-Identifier: MIT

internal import Synchronization

/// All registrations of a type.
extension ContainerCore {
  /// The slots of all registrations of a type without arguments, here and in the ancestors, by
  /// position. A registration hides its key in the ancestors, and takes the outermost's position.
  ///
  /// - Complexity: O(*n*) in the number of registrations of the type, once their slots are known.
  @usableFromInline @inline(never)
  func collectedSlots(of product: any Any.Type) throws(ResolutionError) -> [SlotReference] {
    let cores = try openSelfAndAncestorsWithSlots(product)
    if cores.count == 1 {
      let slots = cores[0].slots(of: product)
      if slots.areRegisteredInOrder { return slots }
    }
    var elements: [(position: UInt64, slot: SlotReference)] = []
    for (depth, core) in cores.enumerated() {
      for slot in core.slots(of: product) {
        guard let found = slot.withRegistration({ ($0.position, isAbsence: $0.isAbsence) }),
          !found.isAbsence
        else { continue }
        let (position, key) = (found.0, slot.key)
        if cores[..<depth].contains(where: { $0.position(of: key) != nil }) { continue }
        let hidden = cores[(depth + 1)...].reversed().firstResult { $0.position(of: key) }
        elements.append((hidden ?? position, slot))
      }
    }
    return elements.ordered(by: \.position).map(\.slot)
  }

  private func openSelfAndAncestorsWithSlots(
    _ product: any Any.Type
  ) throws(ResolutionError) -> [ContainerCore] {
    var cores: [ContainerCore] = []
    for core in selfAndAncestors {
      if core.isClosed { throw missing(product, name: nil) }
      try core.adoptElements(of: product)
      if core.hasSlots { cores.append(core) }
    }
    return cores
  }

  /// Has a fork adopt all registrations of a type not adopted yet.
  private func adoptElements(of product: any Any.Type) throws(ResolutionError) {
    if fork == nil { return }
    var next: (core: ContainerCore, version: UInt64)? = (self, .max)
    while let (core, version) = next {
      if core !== self {
        if core.isClosed { throw core.missing(product, name: nil) }
        // Including empty slots, which may have been full when the fork was made.
        for slot in core.slots(of: product) { _ = registeredSlot(of: slot.key) }
      }
      next = core.searchedNext(at: version) { $0.hidesAll(at: version) }
    }
  }

  func slots(of product: any Any.Type) -> [SlotReference] {
    extras.typeSlots.slots(ofType: identity(of: product), in: table)
  }

  /// The position of the key's registration; `nil` if there is none.
  private func position(of key: RegistrationKey) -> UInt64? {
    table.find(key)?.withRegistration { $0.position }
  }

  /// An instance of every registration of a type, by the registration's scope, all in a single
  /// resolution. Specialized, as an array of an unknown type takes ten times as long.
  @inlinable
  func resolveAll<Product>(
    _ product: Product.Type, within context: ResolutionContext?
  ) throws -> [Product] {
    let slots = try collectedSlots(of: product)
    let resolution = OpenResolution.begin(in: self, within: context, building: nil)
    defer { resolution.end() }
    var instances: [Product] = []
    instances.reserveCapacity(slots.count)
    for slot in slots {
      // A registration removed meanwhile is left out.
      if let instance = try resolveIfRegistered(
        product, in: slot, within: resolution.context, orDerived: false)
      {
        instances.append(instance)
      }
    }
    return instances
  }

  /// As ``resolveAll(_:within:)``, for asynchronous registrations too.
  nonisolated(nonsending)
    func resolveAllAsync<Product>(
      _ product: Product.Type, within context: ResolutionContext?
    ) async throws -> [Product]
  {
    try await boxAsync(of: redirect(toAll: product) { InstanceBox($0) }, within: context)
      .instance(of: [Product].self)
  }

  func redirect<Product>(
    toAll product: Product.Type, finish: @escaping ([Product]) throws -> AnyInstanceBox
  ) throws(ResolutionError) -> Redirect {
    Redirect(goal: .all, keys: try collectedSlots(of: product).map(\.key)) { served in
      try finish(served.map { $0.box.instance(of: product) })
    }
  }
}
