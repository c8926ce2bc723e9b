// SPDX-License-Identifier: MIT

/// The hot path. A hit executes code of this file and of the files of Core/Registry that it calls only: find
/// the slot in the cache, enter a section, load the word, copy the instance or call the factory, leave. All
/// other resolves go to the functions of SlowResolution.swift.
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
  ) throws(ResolutionError) -> Product {
    let section = Section.enter()
    let word = slot.load()
    if word.isReady {
      let instance = unsafe word.box(of: product)._withUnsafeGuaranteedRef { $0.instance }
      section.leave()
      return instance
    }
    if word.isTransient && canBuildInline(section, within: construction) {
      return try build(product, from: word, in: section, within: construction)
    }
    if word.isRegistration, let instance = weakInstance(of: product, from: word) {
      section.leave()
      return instance
    }
    section.leave()
    return word.isTransient
      ? try resolveTransientSlowly(product, in: slot, within: construction)
      : try resolveShared(product, in: slot, within: construction)
  }

  /// The instance of a weak registration if it is alive. Inside of a section. Specialised, but not inlined into
  /// hits.
  @inlinable @inline(never)
  func weakInstance<Product>(of product: Product.Type, from word: SlotWord) -> Product? {
    unsafe word.record._withUnsafeGuaranteedRef { record in
      guard record.holdsInstanceWeakly, case .built(let box) = record.instance.current else {
        return nil
      }
      return unsafe box._withUnsafeGuaranteedRef {
        // SAFETY: the state of a weak registration only ever holds boxes of this class.
        unsafe unsafeDowncast($0, to: WeakBox<Product>.self).instance
      }
    }
  }

  /// Runs a transient factory inside of the section, which keeps the registration alive without
  /// touching its reference count.
  @inlinable @inline(__always)
  func build<Product>(
    _ product: Product.Type, from word: SlotWord, in section: Section,
    within construction: ResolutionContext?
  ) throws(ResolutionError) -> Product {
    do {
      let instance = unsafe try word.transient(of: product)._withUnsafeGuaranteedRef {
        try $0.factory(Resolver(registry: self, construction: construction))
      }
      section.leave()
      return instance
    } catch {
      throw word.failure(error, ending: section)
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
    return try body(resolveOwned(product, in: slot, within: construction))
  }

  /// As `resolve`, not inlined into borrowed hits.
  @inlinable @inline(never)
  func resolveOwned<Product>(
    _ product: Product.Type, in slot: SlotReference, within construction: ResolutionContext?
  ) throws(ResolutionError) -> Product {
    try resolve(product, in: slot, within: construction)
  }
}

extension ContainerCore {
  /// Whether a transient can be built inline: (1) below the tracking depth, (2) no graph registration exists,
  /// (3) the resolver belongs to the thread's running construction, or to a finished one while the thread runs
  /// none.
  @inlinable @inline(__always)
  func canBuildInline(_ section: Section, within construction: ResolutionContext?) -> Bool {
    if section.canBuildInline(in: table, within: construction) { return true }
    return construction != nil && canBuildInline(section, afterAll: construction)
  }

  /// The rare case of the above: a resolver that was stored beyond its factory.
  @usableFromInline @inline(never)
  func canBuildInline(_ section: Section, afterAll construction: ResolutionContext?) -> Bool {
    section.canBuildInline(in: table, within: nil) && ResolutionContext.isOver(construction)
  }
}
