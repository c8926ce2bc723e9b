// SPDX-License-Identifier: MIT

/// The slow path: missing registrations, first constructions, and transients that are nested deeply or whose
/// resolver belongs to another context than the thread's.
extension ContainerCore {
  /// The slot of a key without arguments, whose name may be missing.
  @inlinable @inline(__always)
  func slot<Product>(of product: Product.Type, optionalName name: Name?) -> SlotReference? {
    if let name {
      slot(of: product, name: NameBits(name))
    } else {
      slot(ofType: identity(of: product))
    }
  }

  @usableFromInline
  func throwIfClosed(_ product: any Any.Type, name: Name?) throws(ResolutionError) {
    if selfAndAncestors.contains(where: \.isClosed) { throw missing(product, name: name) }
  }

  /// Resolves a key that this container's own slots do not hold.
  @inlinable @inline(never)
  func resolveInherited<Product>(
    _ product: Product.Type, name: Name?, within construction: ResolutionContext?
  ) throws(ResolutionError) -> Product {
    guard let slot = registeredSlot(of: product, name: name) else {
      throw missing(product, name: name)
    }
    return try resolve(product, in: slot, within: construction)
  }

  /// Calls `body` with an instance whose key this container's own slots do not hold.
  @inlinable @inline(never)
  func withResolvedInherited<Product, Result>(
    _ product: Product.Type, name: Name?, within construction: ResolutionContext?,
    _ body: (Product) throws -> Result
  ) throws -> Result {
    guard let slot = registeredSlot(of: product, name: name) else {
      throw missing(product, name: name)
    }
    return try withResolved(product, in: slot, within: construction, body)
  }

  /// - Returns: `nil` if the key is missing.
  @inlinable
  func resolveIfRegistered<Product>(
    _ product: Product.Type, name: Name?, within construction: ResolutionContext?
  ) throws(ResolutionError) -> Product? {
    guard let slot = slot(of: product, optionalName: name), !slot.load().isAbsent else {
      if isRootAndOpen { return nil }
      return try resolveInheritedIfRegistered(product, name: name, within: construction)
    }
    return try resolveIfRegistered(product, in: slot, within: construction)
  }

  @inlinable @inline(never)
  func resolveInheritedIfRegistered<Product>(
    _ product: Product.Type, name: Name?, within construction: ResolutionContext?
  ) throws(ResolutionError) -> Product? {
    guard let slot = registeredSlot(of: product, name: name) else {
      try throwIfClosed(product, name: name)
      return nil
    }
    return try resolveIfRegistered(product, in: slot, within: construction)
  }

  @inlinable
  func resolveIfRegistered<Product>(
    _ product: Product.Type, in slot: SlotReference, within construction: ResolutionContext?
  ) throws(ResolutionError) -> Product? {
    do {
      return try resolve(product, in: slot, within: construction)
    } catch {
      // Removed since it was found above: the key is missing, and no factory has run.
      if error.isMissing(slot) { return nil }
      throw error
    }
  }

  /// Resolves a type that was inferred as an optional: the registration of the optional itself, or else that of
  /// the wrapped type.
  @inlinable
  func resolveWrapped<Product>(
    _ product: Product.Type, name: Name?, within construction: ResolutionContext?
  ) throws(ResolutionError) -> Product? {
    if let slot = registeredSlot(of: Product?.self, name: name) {
      return try resolve(Product?.self, in: slot, within: construction)
    }
    return try resolveInherited(product, name: name, within: construction)
  }

  /// Resolves a transient with its level recorded if it is deep, and with the context of its resolver looked up.
  /// Retries if the slot has another kind of registration by now.
  @inlinable @inline(never)
  func resolveTransientSlowly<Product>(
    _ product: Product.Type, in slot: SlotReference, within construction: ResolutionContext?
  ) throws(ResolutionError) -> Product {
    let section = Section.enter()
    let word = slot.load()
    guard word.isTransient else {
      section.leave()
      return try resolve(product, in: slot, within: construction)
    }
    let level = try section.pushFrame(slot)
    let resolution = openResolution(within: construction)
    defer {
      resolution.end()
      level.end()
    }
    return try build(product, from: word, in: section, within: resolution.context)
  }

  /// Resolves a shared instance that is not ready, or a registration with more than a factory. Retries if the
  /// slot is empty by now.
  @inlinable @inline(never)
  func resolveShared<Product>(
    _ product: Product.Type, in slot: SlotReference, within construction: ResolutionContext?
  ) throws(ResolutionError) -> Product {
    let found = found(in: slot)
    if let box = found.box { return box.instance(of: product) }
    guard let record = found.record else {
      return try resolveInherited(product, name: slot.name, within: construction)
    }
    guard record.sharesInstances else {
      return try record.transientBox(in: slot, for: self, within: construction, arguments: nil)
        .instance(of: product)
    }
    return try record.resolveBox(
      in: slot, for: self, within: construction, arguments: nil,
      specialised: record.hasSynchronousFactory ? FactoryRecord<Product>.specialisedBuild : nil
    ).instance(of: product)
  }
}

/// The same without types.
extension ContainerCore {
  /// An instance of the slot's registration; `nil` if there is none.
  func box(
    in slot: SlotReference, arguments: AnyArguments?, within construction: ResolutionContext?
  ) throws(ResolutionError) -> AnyInstanceBox? {
    let found = found(in: slot)
    if let box = found.box { return box }
    guard let record = found.record else { return nil }
    return record.sharesInstances
      ? try record.resolveBox(
        in: slot, for: self, within: construction, arguments: arguments, specialised: nil)
      : try record.transientBox(
        in: slot, for: self, within: construction, arguments: arguments)
  }

  /// The content of a slot: a ready instance, or a registration. Retained, so that a construction, which may
  /// take long, runs outside of the section.
  @usableFromInline
  func found(in slot: SlotReference) -> (box: AnyInstanceBox?, record: RegistrationRecord?) {
    let section = Section.enter()
    defer { section.leave() }
    let word = slot.load()
    if let box = word.readyBox { return (box, nil) }
    // SAFETY: the section keeps the registration alive until it is retained.
    return (nil, unsafe word.registration?.takeUnretainedValue())
  }

  /// An instance of a key's registration, here or in an ancestor.
  func box(
    of key: RegistrationKey, arguments: AnyArguments?, within construction: ResolutionContext?
  ) throws(ResolutionError) -> AnyInstanceBox {
    while let slot = registeredSlot(of: key) {
      if let box = try box(in: slot, arguments: arguments, within: construction) { return box }
    }
    throw missing(key)
  }
}
