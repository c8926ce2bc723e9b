// SPDX-License-Identifier: MIT

/// The properties of a registration that lists, pages and texts show.
extension RegistrationRecord {
  /// Whether request scopes are made with values of the registration.
  final var isInput: Bool { attributes.isInput }

  final var askerKind: AskerKind {
    if isForwarding { return .forward }
    if factoryKind == .asynchronous { return .asynchronous }
    return attributes.parameters == nil ? .factory : .wired
  }

  /// The position in the described list: a version's registration has the hidden one's.
  final var describedPosition: UInt64 {
    guard let base = owner.baseOfLayer else { return position }
    return base.table.find(key)?.registration?.position ?? position
  }

  /// Whether an instance is stored, for any arguments. A ``CustomStorage`` is not asked.
  final var storesInstance: Bool { instances.contains { $0.strongBox(of: self) != nil } }

  /// The type of the instances, as known without running a factory; `nil` for a mere protocol.
  ///
  /// - Parameter container: the container asked, in which a forward looks up the target.
  final func implementation(in container: ContainerCore) -> (any Any.Type)? {
    guard let target = forwardedKey else { return served.ownImplementation }
    return container.registration(behind: target)?.served.ownImplementation
  }

  private var ownImplementation: (any Any.Type)? {
    if let value = self as? ValueRecord { return type(of: value.value) }
    return typeOfStoredInstances ?? owner.recordedIfAny?.implementation(of: serial)
      ?? (isErased(key.product) ? nil : key.product)
  }

  /// The type of all stored instances, without decorators; `nil` for none, or if the types differ.
  private var typeOfStoredInstances: (any Any.Type)? {
    let isDecorated = owner.decorates(key.product)
    var found: (any Any.Type)?
    for instance in instances {
      let box = instance.strongBox(of: self)
      guard let type = box?.typeFromFactory(isDecorated: isDecorated) else { continue }
      if let found, found != type { return nil }
      found = type
    }
    return found
  }
}

extension InstanceState {
  /// The box of the instance, if there is one: of a weak instance, a box that keeps it alive.
  fileprivate func strongBox(of record: RegistrationRecord) -> AnyInstanceBox? {
    guard record.policy.box == .weak else { return builtBox }
    // The section keeps the box alive.
    let section = Section.enter()
    defer { section.leave() }
    // SAFETY: a weak registration's states only ever hold boxes of this class.
    return unsafe load().builtContent(as: AnyWeakBox.self)?._withUnsafeGuaranteedRef {
      $0.makeStrongBox()
    }
  }
}
