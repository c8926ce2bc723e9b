// SPDX-License-Identifier: MIT

/// The hot path. A hit executes code of this file and of the files of Core/Registry that it calls only: find
/// the slot in the cache, enter a section, load the word, copy the instance or call the factory, leave. Call sites of
/// containers hold it up to the test for a ready instance, specialised (Resolving+Resolution.swift); resolvers call all of
/// it, not specialised (Resolver+Resolution.swift). All other resolves go to the functions of SlowResolution.swift.
// SAFETY, of this file: the open section keeps the object behind the word alive, also in functions that are given
// the word; `product` is that of the slot's key, which decides the object's class.
extension ContainerCore {
  /// The slot of a key without name and arguments.
  @inlinable @inline(__always)
  func slot(ofType type: UInt) -> SlotReference? {
    table.slot(ofType: type)
  }

  /// The slot of a named key; the name outlives the call.
  @inlinable @inline(__always)
  func slot<Product>(of product: Product.Type, name: NameBits) -> SlotReference? {
    slot(of: KeyWords(type: identity(of: product), name: name, arguments: 0))
  }

  /// The slot of a key with a name or arguments.
  @inlinable @inline(__always)
  func slot(of key: KeyWords) -> SlotReference? {
    table.slot(of: key)
  }

  /// Resolves from a slot whose key has `product` and no arguments.
  @inlinable @inline(__always)
  func resolve<Product>(
    _ product: Product.Type, in slot: SlotReference, within construction: ResolutionContext?
  ) throws -> Product {
    guard let section = Section.enterIfAttached() else {
      return try resolveSlowly(product, in: slot, within: construction)
    }
    let word = slot.load()
    if word.isReady { return word.instance(of: product, leaving: section) }
    return try resolveUnready(product, from: word, of: slot, in: section, within: construction)
  }

  /// Resolves from the word of a slot that holds no ready instance. Call sites share it: it is not specialised.
  @usableFromInline @inline(never)
  func resolve<Product>(
    _ product: Product.Type, from word: SlotWord, of slot: SlotReference, in section: Section,
    within construction: ResolutionContext?
  ) throws -> Product {
    try resolveUnready(product, from: word, of: slot, in: section, within: construction)
  }

  @inlinable @inline(__always)
  func resolveUnready<Product>(
    _ product: Product.Type, from word: SlotWord, of slot: SlotReference, in section: Section,
    within construction: ResolutionContext?
  ) throws -> Product {
    if word.isTransient && section.canBuildInline(in: table, within: construction) {
      return try build(product, from: word, in: section, within: construction)
    }
    if word.isScoped {
      return try resolveScoped(product, in: slot, section, within: construction)
    }
    section.leave()
    return try resolveSlowly(product, in: slot, within: construction)
  }

  /// Resolves from a slot that held a scoped word: an instance that is in its cell; all else is a call. Ends the section.
  @usableFromInline @inline(never)
  func resolveScoped<Product>(
    _ product: Product.Type, in slot: SlotReference, _ section: Section,
    within construction: ResolutionContext?
  ) throws -> Product {
    let content = contentOfCell(behind: slot, section, within: construction)
    guard content.isBuilt else {
      return try resolveInScope(product, in: slot, section, within: construction)
    }
    defer { section.leave() }
    return content.instance(of: product)
  }

  /// Runs a transient factory inside of the section, which keeps the registration alive without
  /// touching its reference count, and leaves the section.
  @inlinable @inline(__always)
  func build<Product>(
    _ product: Product.Type, from word: SlotWord, in section: Section,
    within construction: ResolutionContext?
  ) throws -> Product {
    defer { section.leave() }
    do {
      return unsafe try word.transient(of: product)._withUnsafeGuaranteedRef {
        try $0.factory(Resolver(registry: self, construction: construction))
      }
    } catch {
      throw word.failure(error)
    }
  }
}

/// The hot path of borrowing: as above, but `body` uses the instance inside of the section.
extension ContainerCore {
  @inlinable @inline(__always)
  func withResolved<Product, Result>(
    _ product: Product.Type, in slot: SlotReference, within construction: ResolutionContext?,
    _ body: (Product) throws -> Result
  ) throws -> Result {
    let section = Section.enter()
    let word = slot.load()
    if word.isReady {
      defer { section.leave() }
      return unsafe try word.box(of: product)._withUnsafeGuaranteedRef { try body($0.instance) }
    }
    section.leave()
    return try body(resolveSlowly(product, in: slot, within: construction))
  }
}
