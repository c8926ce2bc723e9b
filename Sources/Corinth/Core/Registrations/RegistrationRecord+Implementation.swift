// SPDX-License-Identifier: MIT

extension RegistrationRecord {
  /// The type of the instances, as far as the type is known without running a factory; `nil` if only a protocol is known.
  ///
  /// - Parameter container: the container that is asked, in which a forward looks up its target.
  func implementation(in container: ContainerCore) -> (any Any.Type)? {
    guard let target = forwardedKey else { return served.ownImplementation }
    return container.registration(behind: target)?.served.ownImplementation
  }

  private var ownImplementation: (any Any.Type)? {
    if let value = self as? ValueRecord { return type(of: value.value) }
    return typeOfStoredInstances ?? owner.recordedIfAny?.implementation(of: serial)
      ?? (isErased(key.product) ? nil : key.product)
  }

  /// The type of all stored instances; `nil` if there are none, or if their types differ.
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
