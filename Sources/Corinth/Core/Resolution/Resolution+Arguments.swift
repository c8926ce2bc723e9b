// SPDX-License-Identifier: MIT

/// The hot path of factories with arguments. `Arguments` is one type, or the tuple of several.
extension ContainerCore {
  @inlinable
  func resolve<Product, Arguments>(
    _ product: Product.Type, name: Name?, arguments: Arguments,
    within construction: ResolutionContext?
  ) throws -> Product {
    let slot = slot(of: product, name: name, arguments: Arguments.self)
    if let slot, let section = Section.enterIfAttached(in: table, from: slot) {
      let word = slot.load()
      if word.isTransient && section.canBuildInline(in: table, within: construction) {
        return try build(
          product, from: word, arguments: arguments, in: section, within: construction)
      }
      section.leave()
    }
    // Addressed here, where a client's compiler knows the type: generic code would make a copy.
    return try unsafe withUnsafePointer(to: arguments) {
      try unsafe resolveSlowly(product, in: slot, name: name, arguments: $0, within: construction)
    }
  }

  @inlinable @inline(__always)
  func build<Product, Arguments>(
    _ product: Product.Type, from word: SlotWord, arguments: Arguments, in section: Section,
    within construction: ResolutionContext?, isShallow: Bool = true
  ) throws -> Product {
    let use = section.leave(using: word.transientAddress, isShallow: isShallow)
    defer { use.end() }
    do {
      // SAFETY: the use keeps the record alive during the factory; the slot's key has these types.
      let record = unsafe word.transient(of: product, arguments: Arguments.self)
      return try unsafe record._withUnsafeGuaranteedRef {
        try $0.factory(Resolver(registry: self, construction: construction), arguments)
      }
    } catch {
      throw word.failure(error)
    }
  }

  /// The slot of a key with arguments.
  @inlinable @inline(__always)
  func slot<Product, Arguments>(
    of product: Product.Type, name: Name?, arguments: Arguments.Type
  ) -> SlotReference? {
    table.slot(
      of: KeyWords(
        type: identity(of: product), name: name.map { NameBits($0) },
        arguments: identity(of: arguments)))
  }

  /// - Parameter own: the container's own slot for the key, if any.
  @usableFromInline @inline(never)
  func resolveSlowly<Product, Arguments>(
    _ product: Product.Type, in own: SlotReference?, name: Name?,
    arguments: UnsafePointer<Arguments>, within construction: ResolutionContext?
  ) throws -> Product {
    if let own {
      let section = Section.enter(in: table, from: own)
      if let box = unsafe own.load().storedBox(forArgumentsAt: arguments) {
        return unsafe AnyInstanceBox.instance(of: product, inBoxAt: box, leaving: section)
      }
      section.leave()
    }
    let key = RegistrationKey(product: product, name: name, arguments: Arguments.self)
    guard let slot = registeredSlot(of: key) else { throw notFound(key) }
    let section = Section.enter(in: table, from: slot)
    let word = slot.load()
    if let box = unsafe word.storedBox(forArgumentsAt: arguments) {
      return unsafe AnyInstanceBox.instance(of: product, inBoxAt: box, leaving: section)
    }
    guard word.isTransient, !decorates(product) else {
      section.leave()
      let boxed = unsafe ArgumentsBox(arguments.pointee)
      if let box = try box(in: slot, arguments: boxed, within: construction) {
        return box.instance(of: product)
      }
      return try box(of: key, arguments: boxed, within: construction).instance(of: product)
    }
    if canBuildInline(section, afterAll: construction) {
      return try build(
        product, from: word, arguments: unsafe arguments.pointee, in: section,
        within: construction)
    }
    let level = try section.pushFrame(slot, recursions: Section.argumentRecursions)
    let resolution = openResolution(within: construction, building: slot)
    defer {
      resolution.end()
      level.end()
    }
    return try build(
      product, from: word, arguments: unsafe arguments.pointee, in: section,
      within: resolution.context, isShallow: false)
  }
}
