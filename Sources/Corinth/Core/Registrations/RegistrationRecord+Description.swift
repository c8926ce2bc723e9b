// SPDX-License-Identifier: MIT

extension RegistrationRecord {
  /// The type of the instances, as known without running a factory; `nil` for a mere protocol.
  ///
  /// - Parameter container: the container asked, in which a forward looks up the target.
  func implementation(in container: ContainerCore) -> (any Any.Type)? {
    guard let target = forwardedKey else { return served.ownImplementation }
    return container.registration(behind: target)?.served.ownImplementation
  }

  private var ownImplementation: (any Any.Type)? {
    if let value = self as? ValueRecord { return type(of: value.value) }
    return typeOfStoredInstances ?? owner.recordedIfAny?.implementation(of: serial)
      ?? (isErased(key.product) ? nil : key.product)
  }

  /// The type of all stored instances; `nil` for none, or if the types differ.
  private var typeOfStoredInstances: (any Any.Type)? {
    var found: (any Any.Type)?
    for instance in instances {
      guard let type = instance.typeOfInstance(of: self) else { continue }
      if let found, found != type { return nil }
      found = type
    }
    return found
  }
}

extension InstanceState {
  /// The type of the stored instance, without decorators.
  fileprivate func typeOfInstance(of record: RegistrationRecord) -> (any Any.Type)? {
    let isDecorated = record.owner.decorates(record.key.product)
    // The section keeps the box alive.
    let section = Section.enter()
    defer { section.leave() }
    guard case .built(let built) = current else { return nil }
    var box: AnyInstanceBox?
    if record.policy.box == .weak {
      // SAFETY: a weak registration's states only ever hold boxes of this class.
      box = unsafe unsafeDowncast(built.takeUnretainedValue(), to: AnyWeakBox.self).makeStrongBox()
    } else {
      box = builtBox
    }
    return box?.typeFromFactory(isDecorated: isDecorated)
  }
}
