// SPDX-License-Identifier: MIT

public import CCorinth

/// The hot path. Everything that a hit executes is in this file and in CCorinth.h:
/// find the slot in the cache, enter a section, load the word, copy the instance or call the factory,
/// leave. What is not a hit goes to `SlowResolution`.
extension Container {
  @inlinable
  func resolve<Product>(
    _ product: Product.Type, within construction: Construction?
  ) throws(ResolutionError) -> Product {
    guard let slot = cachedSlot(of: product) else {
      return try resolveSlowly(product, name: nil, within: construction)
    }
    return try resolve(product, in: slot, within: construction)
  }

  @inlinable
  func resolve<Product>(
    _ product: Product.Type, name: Name, within construction: Construction?
  ) throws(ResolutionError) -> Product {
    guard let slot = cachedSlot(of: product, name: name) else {
      return try resolveSlowly(product, name: name, within: construction)
    }
    return try resolve(product, in: slot, within: construction)
  }

  /// The slot of a key without name and arguments, if it is where the cache is looked in first.
  @inlinable @inline(__always)
  func cachedSlot<Product>(of product: Product.Type) -> SlotReference? {
    let identity = identity(of: product)
    let slot = unsafe corinth_cache_probe(
      registry.pointer, corinth_hash(identity, 0, 0)
    ).unsafelyUnwrapped
    return unsafe corinth_slot_matches(slot, identity) ? SlotReference(slot) : nil
  }

  /// The slot of a named key, if it is where the cache is looked in first.
  @inlinable @inline(__always)
  func cachedSlot<Product>(of product: Product.Type, name: Name) -> SlotReference? {
    let identity = identity(of: product)
    let bits = NameBits(name)
    let slot = unsafe corinth_cache_probe(
      registry.pointer, corinth_hash(identity, bits.hash, 0)
    ).unsafelyUnwrapped
    return unsafe corinth_slot_matches_key(
      slot, identity, bits.hash, bits.first, bits.second, 0) ? SlotReference(slot) : nil
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
    section.leave()
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
      let failure = ResolutionError(error, thrownBy: word)
      section.leave()
      throw failure
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
    guard let slot = cachedSlot(of: product) else {
      return try body(resolveSlowly(product, name: nil, within: construction))
    }
    return try withResolved(product, in: slot, within: construction, body)
  }

  @inlinable
  func withResolved<Product, Result>(
    _ product: Product.Type, name: Name, within construction: Construction?,
    _ body: (Product) throws -> Result
  ) throws -> Result {
    guard let slot = cachedSlot(of: product, name: name) else {
      return try body(resolveSlowly(product, name: name, within: construction))
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
