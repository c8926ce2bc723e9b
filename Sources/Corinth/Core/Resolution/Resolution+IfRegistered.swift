// SPDX-License-Identifier: MIT

/// Resolves whose key may be missing. At a call site: a ready instance and a plain transient; all else is a call. The
/// functions that return an optional are specialized: otherwise the runtime would have to look its type up.
// SAFETY, of this file: as in Resolution.swift.
extension ContainerCore {
  /// Resolves from a slot whose key has `product` and no arguments.
  ///
  /// - Parameter orDerived: whether a product without a registration may be derived from others, as that of a wired
  ///   parameter.
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
      // Removed since it was found above: the key is missing, and no factory has run.
      if error.isMissing(slot) { return nil }
      throw error
    }
  }

  /// The same of a container, with what is returned if the key is missing.
  @usableFromInline @inline(never)
  func resolveSlowly<Product>(
    _ product: Product.Type, in slot: SlotReference, orElse missing: () throws -> Product
  ) throws -> Product {
    try resolveIfRegisteredSlowly(product, in: slot, within: nil, orDerived: false) ?? missing()
  }

  /// The same as ``resolveIfRegistered(_:in:within:orDerived:)``, in one call.
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

  /// Resolves a product without a registration that may be derived from others.
  ///
  /// - Returns: `nil` if it is no such product, or nothing is registered that it could be derived from.
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
    // What it is derived from is noted as it is looked for.
    try recordingAsOptional {
      try canDerive(product, named: name)
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

  /// Resolves a product whose key may be missing, if it cannot be derived either.
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

  /// To what is registered of some keys, the last of which has this product, or is derived. The box holds an optional.
  func redirect<Product>(
    toFirst keys: [RegistrationKey], orDerived product: Product.Type
  ) throws -> Redirect {
    let observation = observationOfOptional
    var (goal, wanted) = (Redirect.Goal.first, keys)
    if let last = keys.last, last.arguments == nil,
      !keys.contains(where: { registeredSlot(of: $0) != nil }),
      try observation.around({ try canDerive(product, named: last.name) })
    {
      (goal, wanted) = (.each, [last])
    }
    return Redirect(goal: goal, keys: wanted, observation: observation) { served in
      InstanceBox(served.first?.box.optional(of: product))
    }
  }

  // MARK: - Slots

  /// The slot of a key without name and arguments, which may be absent; `nil` if the key is missing.
  @inlinable @inline(__always)
  func registeredSlot(ofType type: UInt) throws -> SlotReference? {
    try table.cachedSlot(ofType: type) ?? uncachedSlot(ofType: type)
  }

  /// The same for a named key; the name outlives the call.
  @inlinable @inline(__always)
  func registeredSlot<Product>(
    of product: Product.Type, name: NameBits
  ) throws -> SlotReference? {
    let type = identity(of: product)
    return try table.cachedSlot(of: KeyWords(type: type, name: name, arguments: 0))
      ?? uncachedSlot(ofType: type, name: name)
  }

  /// The slot of a key that the cache does not hold.
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

  /// The key's words are neither given nor stored for a miss that the cache shows: that would take as long as the miss.
  @inline(__always)
  private func uncachedSlot(_ type: UInt, _ name: NameBits?) throws -> SlotReference? {
    let key = KeyWords(type: type, name: name, arguments: 0)
    // In this order: a fork that is detached meanwhile has adopted all keys before it says so.
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

  /// The slot that the key of an empty slot is registered in, here or in an ancestor; `nil` if it is missing.
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
}
