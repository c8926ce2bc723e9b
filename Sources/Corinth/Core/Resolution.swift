// SPDX-License-Identifier: MIT

public import CCorinth

/// The hot path. Everything that a hit executes is in this file and in CCorinth.h:
/// find the slot in the cache, enter a section, load the word, copy the instance or call the factory,
/// leave. What is not a hit goes to `resolveSlowly`.
extension Container {
  @inlinable
  func resolve<Product>(
    _ product: Product.Type, within construction: Construction?
  ) throws(ResolutionError) -> Product {
    guard let slot = slot(of: product) else { throw missing(product, name: nil) }
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
  func slot<Product>(of product: Product.Type) -> SlotReference? {
    let type = identity(of: product)
    let slot = unsafe corinth_cache_probe(
      registry.pointer, corinth_hash(type, 0, 0)
    ).unsafelyUnwrapped
    if unsafe corinth_slot_matches(slot, type) { return unsafe SlotReference(slot) }
    return registry.find(type: type)
  }

  /// The slot of a named key; the name outlives the call.
  @inlinable @inline(__always)
  func slot<Product>(of product: Product.Type, name: NameBits) -> SlotReference? {
    let type = identity(of: product)
    let slot = unsafe corinth_cache_probe(
      registry.pointer, corinth_hash(type, name.hash, 0)
    ).unsafelyUnwrapped
    if unsafe corinth_slot_matches_key(slot, type, name.hash, name.first, name.second, 0) {
      return unsafe SlotReference(slot)
    }
    return registry.find(KeyWords(type: type, name: name, arguments: 0))
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
    guard let slot = slot(of: product) else { throw missing(product, name: nil) }
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
