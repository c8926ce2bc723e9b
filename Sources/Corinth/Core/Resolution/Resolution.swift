// SPDX-License-Identifier: MIT

/// The hot path. A hit executes code of this file and of the files of Core/Registry that it calls only: find
/// the slot in the cache, enter a section, load the word, copy the instance or call the factory, leave. Containers inline
/// it into clients, where it is specialized; resolvers call it, not specialized, in Resolver+Resolution.swift. All
/// other resolves go to the functions of SlowResolution.swift.
// SAFETY, of this file: the open section keeps the object behind the word alive, also in functions that are given
// the word; `product` is that of the slot's key, which decides the object's class.
extension ContainerCore {
  /// The slot of a named key; the name outlives the call.
  @inlinable @inline(__always)
  func slot<Product>(of product: Product.Type, name: NameBits) -> SlotReference? {
    table.slot(of: KeyWords(type: identity(of: product), name: name, arguments: 0))
  }

  /// Resolves from a slot whose key has `product` and no arguments. At a call site: a ready instance and a plain
  /// transient; all else is one call.
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

  /// Resolves from the word of a slot that a call site does not resolve from, and leaves the section. Call sites share it: it is
  /// not specialized.
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
      return try resolveInGraph(product, in: slot, section, within: construction)
    }
    if word.isScoped {
      let content = contentOfCell(behind: slot, section, within: construction)
      if content.isBuilt { return content.instance(of: product, leaving: section) }
      return try resolveInScope(product, in: slot, section, within: construction)
    }
    return try resolveSlowly(product, from: word, of: slot, in: section, within: construction)
  }

  /// Leaves the section, and runs a transient factory in a use, which keeps the registration alive without touching its
  /// reference count.
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
