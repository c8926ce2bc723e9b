// SPDX-License-Identifier: MIT

public import CCorinth

/// The hot path. Everything that a hit executes is in this file and in CCorinth.h:
/// find the slot in the cache, enter a section, load the word, copy the instance or call the factory,
/// leave. What is not a hit goes to `resolveSlowly`.
extension Container {
  @inlinable @inline(__always)
  func resolve<Product>(
    _ product: Product.Type, within construction: Construction?
  ) throws(ResolutionError) -> Product {
    try resolve(product, type: identity(of: product), within: construction)
  }

  @inlinable @inline(__always)
  func resolve<Product>(
    _ product: Product.Type, type: UInt, within construction: Construction?
  ) throws(ResolutionError) -> Product {
    guard let slot = slot(ofType: type) else { throw missing(product, name: nil) }
    return try resolve(product, in: slot, within: construction)
  }

  @inlinable @inline(__always)
  func resolve<Product>(
    _ product: Product.Type, name: borrowing Name, within construction: Construction?
  ) throws(ResolutionError) -> Product {
    guard let slot = slot(of: product, name: NameBits(name)) else {
      throw missing(product, name: copy name)
    }
    return try resolve(product, in: slot, within: construction)
  }

  /// The slot of a key without name and arguments.
  @inlinable @inline(__always)
  func slot(ofType type: UInt) -> SlotReference? {
    if let slot = unsafe corinth_cache_find_plain(registry.pointer, type) {
      return unsafe SlotReference(slot)
    }
    return registry.find(type: type)
  }

  /// The slot of a named key; the name outlives the call.
  @inlinable @inline(__always)
  func slot<Product>(of product: Product.Type, name: NameBits) -> SlotReference? {
    slot(of: KeyWords(type: identity(of: product), name: name, arguments: 0))
  }

  /// The slot of a key with a name or arguments.
  @inlinable @inline(__always)
  func slot(of key: KeyWords) -> SlotReference? {
    let words = key.words
    if let slot = unsafe corinth_cache_find(
      registry.pointer, key.hash, corinth_product_type(words.product), words.name_hash,
      words.name_bits.0, words.name_bits.1, words.arguments)
    {
      return unsafe SlotReference(slot)
    }
    return registry.find(key)
  }

  /// Resolves from a slot whose key has `product` and no arguments.
  @inlinable @inline(__always)
  func resolve<Product>(
    _ product: Product.Type, in slot: SlotReference, within construction: Construction?
  ) throws(ResolutionError) -> Product {
    let section = Section.enter()
    let word = slot.load()
    if word.isReady {
      let instance = unsafe word.box(of: product)._withUnsafeGuaranteedRef { $0.instance }
      section.leave()
      return instance
    }
    if word.isTransient && section.depth <= Section.unrecordedDepth {
      return try build(product, from: word, in: section, within: construction)
    }
    return try resolveDeferred(product, from: word, in: slot, section, within: construction)
  }

  /// Resolves what is neither ready nor a transient at a usual depth: weak instances are specialised and
  /// quick, all else takes its time.
  @inlinable @inline(never)
  func resolveDeferred<Product>(
    _ product: Product.Type, from word: SlotWord, in slot: SlotReference, _ section: Section,
    within construction: Construction?
  ) throws(ResolutionError) -> Product {
    var weakInstance: Product?
    if word.isDeferred {
      weakInstance = unsafe word.deferred(of: product)._withUnsafeGuaranteedRef {
        $0.aliveWeakInstance
      }
    }
    section.leave()
    if let weakInstance { return weakInstance }
    return try resolveSlowly(product, in: slot, within: construction)
  }

  /// Runs a transient factory inside of the section, which keeps the registration alive without
  /// touching its reference count.
  @inlinable @inline(__always)
  func build<Product>(
    _ product: Product.Type, from word: SlotWord, in section: Section,
    within construction: Construction?
  ) throws(ResolutionError) -> Product {
    do {
      let instance = unsafe try word.transient(of: product)._withUnsafeGuaranteedRef {
        try $0.factory(Resolver(container: self, construction: construction))
      }
      section.leave()
      return instance
    } catch {
      throw word.failure(error, ending: section)
    }
  }
}

/// The hot path of borrowing: as above, but the instance is lent inside of the section.
extension Container {
  @inlinable
  func withResolved<Product, Result>(
    _ product: Product.Type, within construction: Construction?,
    _ body: (Product) throws -> Result
  ) throws -> Result {
    guard let slot = slot(ofType: identity(of: product)) else {
      throw missing(product, name: nil)
    }
    return try withResolved(product, in: slot, within: construction, body)
  }

  @inlinable
  func withResolved<Product, Result>(
    _ product: Product.Type, name: borrowing Name, within construction: Construction?,
    _ body: (Product) throws -> Result
  ) throws -> Result {
    guard let slot = slot(of: product, name: NameBits(name)) else {
      throw missing(product, name: copy name)
    }
    return try withResolved(product, in: slot, within: construction, body)
  }

  @inlinable @inline(__always)
  func withResolved<Product, Result>(
    _ product: Product.Type, in slot: SlotReference, within construction: Construction?,
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

extension Section {
  /// How deep transient resolves nest before their path is recorded to find cycles. Small enough
  /// for a thread with a stack of 512 KiB in a debug build, beyond what most graphs reach.
  @inlinable static var unrecordedDepth: UInt32 { 64 }
}
