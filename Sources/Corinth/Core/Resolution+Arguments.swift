// SPDX-License-Identifier: MIT

public import CCorinth

/// The hot path of factories with arguments. `Arguments` is one type, or the tuple of several.
extension Container {
  @inlinable
  func resolve<Product, Arguments>(
    _ product: Product.Type, name: Name?, arguments: Arguments, within construction: Construction?
  ) throws(ResolutionError) -> Product {
    let key = KeyWords(
      product: identity(of: product), name: name.map { NameBits($0) },
      arguments: identity(of: Arguments.self))
    let slot = unsafe corinth_cache_probe(registry.pointer, key.hash)
    guard
      unsafe corinth_slot_matches_key(
        slot, key.words.product, key.words.name_hash, key.words.name_bits.0,
        key.words.name_bits.1, key.words.arguments)
    else {
      return try resolveSlowly(product, name: name, arguments: arguments, within: construction)
    }
    let section = Section.enter()
    let word = unsafe SlotReference(slot.unsafelyUnwrapped).load()
    if word.isTransient && section.depth <= Section.unrecordedDepth {
      return try build(product, from: word, arguments: arguments, in: section, within: construction)
    }
    section.leave()
    return try resolveSlowly(product, name: name, arguments: arguments, within: construction)
  }

  @inlinable @inline(__always)
  func build<Product, Arguments>(
    _ product: Product.Type, from word: SlotWord, arguments: Arguments, in section: Section,
    within construction: Construction?
  ) throws(ResolutionError) -> Product {
    do {
      let record = unsafe word.transient(of: product, arguments: Arguments.self)
      let instance = try unsafe record._withUnsafeGuaranteedRef {
        try $0.factory(Resolver(container: self, construction: construction), arguments)
      }
      section.leave()
      return instance
    } catch {
      let failure = ResolutionError(error, thrownBy: word)
      section.leave()
      throw failure
    }
  }

  /// - Throws: also when nothing is registered.
  @usableFromInline @inline(never)
  func resolveSlowly<Product, Arguments>(
    _ product: Product.Type, name: Name?, arguments: Arguments, within construction: Construction?
  ) throws(ResolutionError) -> Product {
    let key = RegistrationKey(product: product, name: name, arguments: Arguments.self)
    guard let slot = registry.slot(of: KeyWords(key)) else {
      throw .noRegistrationFound(ResolutionError.Context(missing: key, in: self))
    }
    let section = Section.enter()
    let word = slot.load()
    guard word.isTransient else {
      section.leave()
      throw .noRegistrationFound(ResolutionError.Context(missing: key, in: self))
    }
    if section.depth <= Section.unrecordedDepth {
      return try build(product, from: word, arguments: arguments, in: section, within: construction)
    }
    return try section.recording(slot, repetitions: Section.argumentRecursions) {
      () throws(ResolutionError) in
      try build(product, from: word, arguments: arguments, in: section, within: construction)
    }
  }
}

extension Section {
  /// How often a factory with arguments may recur on a recorded path before it counts as a cycle: with
  /// other arguments a recursion may well end.
  static var argumentRecursions: Int { 64 }
}
