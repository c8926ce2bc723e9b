// SPDX-License-Identifier: MIT

/// Resolves of keys that may be missing. At a call site: ready instances and plain transients.
/// Functions that return an optional are specialized, or the runtime would look the type up.
// SAFETY, of this file: as in Resolution.swift.
extension ContainerCore {
  /// Resolves from a slot whose key has `product` and no arguments.
  ///
  /// - Parameter orDerived: whether to derive an unregistered product, as for a wired parameter.
  /// - Returns: `nil` if the key is missing.
  @inlinable @inline(__always)
  func resolveIfRegistered<Product>(
    _ product: Product.Type, in slot: SlotReference, within construction: ResolutionContext?,
    orDerived: Bool
  ) throws -> Product? {
    if let section = Section.enterIfAttached(in: table, from: slot) {
      let word = slot.load()
      if word.isReady { return word.instance(of: product, leaving: section) }
      if word.isTransient && section.canBuildInline(in: table, within: construction) {
        return try build(product, from: word, in: section, within: construction)
      }
      section.leave()
    }
    return try resolveIfRegisteredSlowly(
      product, in: slot, within: construction, orDerived: orDerived)
  }

  @inlinable @inline(never)
  func resolveIfRegisteredSlowly<Product>(
    _ product: Product.Type, in slot: SlotReference, within construction: ResolutionContext?,
    orDerived: Bool
  ) throws -> Product? {
    var slot = slot
    if slot.load().isAbsent {
      guard let other = try inheritedSlot(slot) else {
        return orDerived
          ? try resolveIfDerived(product, name: slot.name, within: construction) : nil
      }
      slot = other
    }
    do {
      return try recordingAsOptional { try resolve(product, in: slot, within: construction) }
    } catch {
      // Removed since the lookup above: the key is missing, and no factory has run.
      if error.isMissing(slot) { return nil }
      throw error
    }
  }

  /// Resolves an optional dependency, noted as such in the recorded run, if any.
  @usableFromInline @inline(never)
  func recordingAsOptional<Result>(_ resolve: () throws -> Result) rethrows -> Result {
    try Observation.ofOptional.around(resolve)
  }

  /// Resolves in place of a container's call site, with a replacement for a missing key's instance.
  @usableFromInline @inline(never)
  func resolveSlowly<Product>(
    _ product: Product.Type, in slot: SlotReference, orElse missing: () throws -> Product
  ) throws -> Product {
    try resolveIfRegisteredSlowly(product, in: slot, within: nil, orDerived: false) ?? missing()
  }

  /// As ``resolveIfRegistered(_:in:within:orDerived:)``, in a single call.
  @inlinable @inline(never)
  func resolveIfRegistered<Product>(
    _ product: Product.Type, name: Name?, within construction: ResolutionContext?
  ) throws -> Product? {
    let slot =
      if let name {
        try registeredSlot(of: product, name: NameBits(name))
      } else {
        try registeredSlot(ofType: identity(of: product))
      }
    guard let slot else {
      return try resolveIfDerived(product, name: name, within: construction)
    }
    return try resolveIfRegistered(product, in: slot, within: construction, orDerived: true)
  }

  /// Resolves a product without a registration that may be derived from registrations.
  ///
  /// - Returns: `nil` for a product that is not derived, or without a registration to derive from.
  @inlinable @inline(__always)
  func resolveIfDerived<Product>(
    _ product: Product.Type, name: Name?, within construction: ResolutionContext?
  ) throws -> Product? {
    guard mayBeDerived(product) else { return nil }
    return try resolveIfContentIsRegistered(product, name: name, within: construction)
  }

  /// Not specialized: few products come here.
  @usableFromInline @inline(never)
  func resolveIfContentIsRegistered<Product>(
    _ product: Product.Type, name: Name?, within construction: ResolutionContext?
  ) throws -> Product? {
    // The search for the content's registrations notes the content as a dependency.
    try recordingAsOptional {
      try canDerive(product, named: name, in: self)
        ? resolveInherited(product, name: name, within: construction) : nil
    }
  }

  @inlinable @inline(never)
  func resolveIfRegistered<Product, Arguments>(
    _ product: Product.Type, name: Name?, arguments: Arguments,
    within construction: ResolutionContext?
  ) throws -> Product? {
    let key = KeyWords(
      type: identity(of: product), name: name.map { NameBits($0) },
      arguments: identity(of: Arguments.self))
    guard var slot = try table.slot(of: key) ?? uncachedSlot(of: key) else { return nil }
    if slot.load().isAbsent {
      guard let other = try inheritedSlot(slot) else { return nil }
      slot = other
    }
    do {
      return try recordingAsOptional {
        try resolve(product, name: name, arguments: arguments, within: construction)
      }
    } catch {
      if error.isMissing(slot) { return nil }
      throw error
    }
  }

  /// Resolves a product whose key may be missing and may not be derived.
  nonisolated(nonsending)
    func resolveAsyncIfRegistered<Product>(
      _ product: Product.Type, _ key: RegistrationKey, arguments: AnyArguments? = nil,
      within context: ResolutionContext?
    ) async throws -> Product?
  {
    var redirect = try redirect(toFirst: [key], orDerived: product)
    redirect.arguments = arguments
    return try await boxAsync(of: redirect, within: context).instance(of: Product?.self)
  }

  /// Redirects to the first registered key or the last key's derived product; boxes an optional.
  func redirect<Product>(
    toFirst keys: [RegistrationKey], orDerived product: Product.Type
  ) throws -> Redirect {
    let observation = Observation.ofOptional
    var (goal, wanted) = (Redirect.Goal.first, keys)
    if let last = keys.last, last.arguments == nil,
      !keys.contains(where: { registeredSlot(of: $0) != nil }),
      try observation.around({ try canDerive(product, named: last.name, in: self) })
    {
      (goal, wanted) = (.each, [last])
    }
    return Redirect(goal: goal, keys: wanted, observation: observation) { served in
      InstanceBox(served.first?.box.optional(of: product))
    }
  }

  // MARK: - Slots

  /// The slot of a key without name and arguments, perhaps absent; `nil` if the key is missing.
  @inlinable @inline(__always)
  func registeredSlot(ofType type: UInt) throws -> SlotReference? {
    try table.cachedSlot(ofType: type) ?? uncachedSlot(ofType: type)
  }

  /// As ``registeredSlot(ofType:)``, for a named key; the name outlives the call.
  @inlinable @inline(__always)
  func registeredSlot<Product>(
    of product: Product.Type, name: NameBits
  ) throws -> SlotReference? {
    let type = identity(of: product)
    return try table.cachedSlot(of: KeyWords(type: type, name: name, arguments: 0))
      ?? uncachedSlot(ofType: type, name: name)
  }

  /// The slot of a key not found in the cache.
  ///
  /// - Throws: the error of a closed container, instead of `nil`.
  @usableFromInline @inline(never)
  func uncachedSlot(ofType type: UInt) throws -> SlotReference? {
    try uncachedSlot(type, nil)
  }

  @usableFromInline @inline(never)
  func uncachedSlot(ofType type: UInt, name: NameBits) throws -> SlotReference? {
    try uncachedSlot(type, name)
  }

  /// For a miss visible in the cache, the key's words are neither passed nor stored, to save time.
  @inline(__always)
  private func uncachedSlot(_ type: UInt, _ name: NameBits?) throws -> SlotReference? {
    let key = KeyWords(type: type, name: name, arguments: 0)
    // In order: a fork detached meanwhile has adopted all keys before it says so.
    return isRootAndOpen && table.lacks(key) ? nil : try inheritedSlot(ofType: type, name: name)
  }

  @inline(never)
  private func inheritedSlot(ofType type: UInt, name: NameBits?) throws -> SlotReference? {
    try inheritedSlot(of: KeyWords(type: type, name: name, arguments: 0))
  }

  @usableFromInline @inline(never)
  func uncachedSlot(of key: KeyWords) throws -> SlotReference? {
    isRootAndOpen && table.lacks(key) ? nil : try inheritedSlot(of: key)
  }

  /// The slot, here or in an ancestor, registered for an empty slot's key; `nil` for a missing key.
  @usableFromInline @inline(never)
  func inheritedSlot(_ slot: SlotReference) throws -> SlotReference? {
    let key = slot.key
    return try withExtendedLifetime(key) {
      isRootAndOpen && slot.load().isAbsent ? nil : try inheritedSlot(of: KeyWords(key))
    }
  }

  @inline(never)
  private func inheritedSlot(of key: KeyWords) throws -> SlotReference? {
    if let slot = registeredSlot(of: key) { return slot }
    try throwIfClosed(lookingFor: RegistrationKey(key.words))
    return nil
  }

  // MARK: - Parameters

  /// Resolves a property, or a parameter of a wired initializer that misses the cache.
  @inline(never)
  func resolveParameter<Parameter>(
    _ type: Parameter.Type, name: Name? = nil, within context: ResolutionContext?
  ) throws -> Parameter {
    guard let optional = optionalProduct(type) else {
      return try resolveInherited(type, name: name, within: context)
    }
    return try optional.parameterBox(named: name, in: self, within: context).instance(of: type)
  }

  nonisolated(nonsending)
    func resolveParameterAsync<Parameter>(
      _ type: Parameter.Type, within context: ResolutionContext?
    ) async throws -> Parameter
  {
    guard let redirect = try optionalProduct(type)?.parameterRedirect(in: self) else {
      return try await resolveAsync(type, name: nil, within: context)
    }
    return try await boxAsync(of: redirect, within: context).instance(of: type)
  }
}
