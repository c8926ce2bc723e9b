// SPDX-License-Identifier: MIT

public import CCorinth

/// The hot path of factories with arguments. `Arguments` is one type, or the tuple of several.
extension Container {
  @inlinable
  func resolve<Product, Arguments>(
    _ product: Product.Type, name: Name?, arguments: Arguments, within construction: Construction?
  ) throws(ResolutionError) -> Product {
    guard let slot = slot(of: product, name: name, arguments: Arguments.self) else {
      throw missing(product, name: name, arguments: Arguments.self)
    }
    let section = Section.enter()
    let word = slot.load()
    if word.isTransient && section.depth <= Section.unrecordedDepth {
      return try build(product, from: word, arguments: arguments, in: section, within: construction)
    }
    section.leave()
    return try resolveSlowly(product, in: slot, arguments: arguments, within: construction)
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
      throw word.failure(error, ending: section)
    }
  }

  /// The slot of a key with arguments.
  @inlinable @inline(__always)
  func slot<Product, Arguments>(
    of product: Product.Type, name: Name?, arguments: Arguments.Type
  ) -> SlotReference? {
    slot(
      of: KeyWords(
        type: identity(of: product), name: name.map { NameBits($0) },
        arguments: identity(of: arguments)))
  }

  /// - Throws: also when the slot is empty.
  @usableFromInline @inline(never)
  func resolveSlowly<Product, Arguments>(
    _ product: Product.Type, in slot: SlotReference, arguments: Arguments,
    within construction: Construction?
  ) throws(ResolutionError) -> Product {
    let section = Section.enter()
    let word = slot.load()
    guard word.isTransient else {
      section.leave()
      throw .noRegistrationFound(ResolutionError.Context(missing: slot.key, in: self))
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
