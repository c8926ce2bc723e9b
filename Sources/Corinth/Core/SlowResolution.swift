// SPDX-License-Identifier: MIT

/// Everything that is not a hit: missing registrations, first constructions, and transients that are
/// nested deeply or whose resolver has to be told about the thread's construction.
extension SlotRegistry {
  @usableFromInline @inline(never)
  func missing(
    _ product: any Any.Type, name: Name?, arguments: (any Any.Type)? = nil
  ) -> ResolutionError {
    missing(RegistrationKey(product: product, name: name, arguments: arguments))
  }

  func missing(_ key: RegistrationKey) -> ResolutionError {
    let context = ResolutionError.Context(missing: key, in: self)
    return container == nil ? .containerGone(context) : .noRegistrationFound(context)
  }

  /// - Returns: `nil` when nothing is registered.
  @inlinable
  func resolveIfRegistered<Product>(
    _ product: Product.Type, name: Name?, within construction: Construction?
  ) throws(ResolutionError) -> Product? {
    guard let slot = slot(of: product, optionalName: name), !slot.load().isAbsent else {
      return nil
    }
    do {
      return try resolve(product, in: slot, within: construction)
    } catch {
      // Removed since the look above: nothing is registered, and nothing was asked for on the way.
      if error.isMissing(slot) { return nil }
      throw error
    }
  }

  /// Resolves where the type asked for was inferred as an optional: what is registered as the optional
  /// itself, or else as what it wraps.
  @inlinable
  func resolveWrapped<Product>(
    _ product: Product.Type, name: Name?, within construction: Construction?
  ) throws(ResolutionError) -> Product? {
    if let slot = slot(of: Product?.self, optionalName: name), !slot.load().isAbsent {
      return try resolve(Product?.self, in: slot, within: construction)
    }
    guard let slot = slot(of: product, optionalName: name) else {
      throw missing(product, name: name)
    }
    return try resolve(product, in: slot, within: construction)
  }

  @inlinable
  func slot<Product>(of product: Product.Type, optionalName name: Name?) -> SlotReference? {
    if let name {
      slot(of: product, name: NameBits(name))
    } else {
      slot(ofType: identity(of: product))
    }
  }

  /// Resolves a transient with its level recorded where it is deep, and its resolver's construction looked
  /// up. Starts over if something else is registered by now.
  @usableFromInline @inline(never)
  func resolveTransientSlowly<Product>(
    _ product: Product.Type, in slot: SlotReference, within construction: Construction?
  ) throws(ResolutionError) -> Product {
    let section = Section.enter()
    let word = slot.load()
    guard word.isTransient else {
      section.leave()
      return try resolve(product, in: slot, within: construction)
    }
    let level = try section.deepen(slot)
    defer { level.end() }
    return try build(
      product, from: word, in: section, within: Construction.innermost(within: construction))
  }

  /// Resolves a singleton or weak instance that is not there yet. Starts over if something else is
  /// registered by now.
  ///
  /// - Throws: also when the slot is empty.
  @usableFromInline @inline(never)
  func resolveShared<Product>(
    _ product: Product.Type, in slot: SlotReference, within construction: Construction?
  ) throws(ResolutionError) -> Product {
    let section = Section.enter()
    let word = slot.load()
    guard word.isDeferred else {
      section.leave()
      guard !word.isAbsent else { throw missing(slot.key) }
      return try resolve(product, in: slot, within: construction)
    }
    // Retained, so that the construction, which may take long, runs outside of the section.
    let record = unsafe word.deferred(of: product).takeUnretainedValue()
    section.leave()
    let resolver = Resolver(registry: self, construction: construction)
    return record.scope.kind == .weak
      ? try record.weakInstance(for: resolver)
      : try record.singleInstance(in: slot, for: resolver)
  }
}
