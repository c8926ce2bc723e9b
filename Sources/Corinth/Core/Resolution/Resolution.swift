// SPDX-License-Identifier: MIT

/// The hot path. A hit executes only code of this file and of files in Core/Registry called here:
/// find the slot in the cache, enter a section, load the word, copy the instance or call the
/// factory, leave. Containers inline the path into clients, specialized; resolvers call it
/// unspecialized, in Resolver+Resolution.swift. All other resolves go to SlowResolution.swift.
// SAFETY, of this file: the open section keeps the object behind the word alive, also in functions
// that get the word; `product` is that of the slot's key, which decides the object's class.
extension ContainerCore {
  /// The slot of a named key; the name outlives the call.
  @inlinable @inline(__always)
  func slot<Product>(of product: Product.Type, name: NameBits) -> SlotReference? {
    table.slot(of: KeyWords(type: identity(of: product), name: name, arguments: 0))
  }

  /// Resolves from a slot whose key has `product` and no arguments. At a call site: a ready
  /// instance and a plain transient; all else is one call.
  @inlinable @inline(__always)
  func resolve<Product>(
    _ product: Product.Type, in slot: SlotReference, within construction: ResolutionContext?
  ) throws -> Product {
    let section = Section.enter(in: table, from: slot)
    let word = slot.load()
    if word.isReady { return word.instance(of: product, leaving: section) }
    if word.isTransient && section.canBuildInline(in: table, within: construction) {
      return try build(product, from: word, in: section, within: construction)
    }
    return try resolve(product, from: word, of: slot, in: section, within: construction)
  }

  /// Resolves from a slot's word in place of a call site, and leaves the section. Shared by call
  /// sites: the function is not specialized.
  @usableFromInline @inline(never)
  func resolve<Product>(
    _ product: Product.Type, from word: SlotWord, of slot: SlotReference, in section: Section,
    within construction: ResolutionContext?
  ) throws -> Product {
    // The compiler has the last of these tested first.
    if word.isStored {
      return try resolveStored(product, in: slot, section, within: construction)
    }
    if word.isGraph {
      return try resolveInPlace(product, from: word, of: slot, in: section, within: construction)
    }
    if word.isScoped {
      let content = contentOfCell(behind: slot, section, within: construction)
      if content.isBuilt { return content.instance(of: product, leaving: section) }
      return try resolveInScope(product, in: slot, section, within: construction)
    }
    if word.isInput {
      return try resolveInput(product, from: word, of: slot, in: section, within: construction)
    }
    return try resolveSlowly(product, from: word, of: slot, in: section, within: construction)
  }

  /// Leaves the section, and runs a transient factory in a use, which keeps the registration alive
  /// without touching its reference count.
  @inlinable @inline(__always)
  func build<Product>(
    _ product: Product.Type, from word: SlotWord, in section: Section,
    within construction: ResolutionContext?, isShallow: Bool = true
  ) throws -> Product {
    let use = section.leave(using: word.transientAddress, isShallow: isShallow)
    defer { use.end() }
    do {
      return unsafe try word.transient(of: product)._withUnsafeGuaranteedRef {
        try $0.factory(UncountedResolver(registry: self, construction: construction))
      }
    } catch {
      try word.fail(error)
    }
  }
}

/// The hot path of borrowing: as above, but `body` uses the instance itself.
extension ContainerCore {
  @inlinable @inline(__always)
  func withResolved<Product, Result>(
    _ product: Product.Type, in slot: SlotReference, within construction: ResolutionContext?,
    _ body: (Product) throws -> Result
  ) throws -> Result {
    let section = Section.enter(in: table, from: slot)
    let word = slot.load()
    if word.isReady {
      // The registration keeps its box.
      let owner = unsafe word.box(of: product)._withUnsafeGuaranteedRef { unsafe $0.owner }
      let use = unsafe section.leave(using: UInt(bitPattern: owner?.toOpaque()), isShallow: false)
      defer { use.end() }
      return unsafe try word.box(of: product)._withUnsafeGuaranteedRef { try body($0.instance) }
    }
    return try body(
      resolve(product, from: word, of: slot, in: section, within: construction))
  }
}

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
    let resolution = OpenResolution.begin(in: self, within: construction, building: slot)
    defer {
      resolution.end()
      level.end()
    }
    return try build(
      product, from: word, arguments: unsafe arguments.pointee, in: section,
      within: resolution.context, isShallow: false)
  }
}

/// The slow path of instances that registrations store.
extension ContainerCore {
  /// Resolves a stored instance, and ends the section. Out of line, to save the caller's registers.
  @inline(never)
  func resolveStored<Product>(
    _ product: Product.Type, in slot: SlotReference, _ section: Section,
    within construction: ResolutionContext?
  ) throws -> Product {
    let word = slot.load()
    if let box = unsafe word.storedBox() {
      return unsafe AnyInstanceBox.instance(of: product, inBoxAt: box, leaving: section)
    }
    return try resolveSlowly(product, from: word, of: slot, in: section, within: construction)
  }
}
