// SPDX-License-Identifier: MIT

internal import CCorinth

/// Everything that is not a hit: keys outside of the slot cache, missing registrations, first
/// constructions, weak instances, and transients that are nested deeply.
extension Container {
  @usableFromInline @inline(never)
  func missing(
    _ product: any Any.Type, name: Name?, arguments: (any Any.Type)? = nil
  ) -> ResolutionError {
    let key = RegistrationKey(product: product, name: name, arguments: arguments)
    return .noRegistrationFound(ResolutionError.Context(missing: key, in: self))
  }

  /// - Returns: `nil` when nothing is registered.
  @inlinable
  func resolveIfRegistered<Product>(
    _ product: Product.Type, name: Name?, within construction: Construction?
  ) throws(ResolutionError) -> Product? {
    guard let slot = slot(of: product, optionalName: name) else { return nil }
    return try resolveIfRegistered(product, in: slot, within: construction)
  }

  @inlinable
  func slot<Product>(of product: Product.Type, optionalName name: Name?) -> SlotReference? {
    if let name {
      slot(of: product, name: NameBits(name))
    } else {
      slot(ofType: identity(of: product))
    }
  }

  /// - Throws: also when the slot is empty.
  @usableFromInline @inline(never)
  func resolveSlowly<Product>(
    _ product: Product.Type, in slot: SlotReference, within construction: Construction?
  ) throws(ResolutionError) -> Product {
    if let instance = try resolveIfRegistered(product, in: slot, within: construction) {
      return instance
    }
    throw .noRegistrationFound(ResolutionError.Context(missing: slot.key, in: self))
  }

  /// Resolves from a slot whose key has `product` and no arguments; `nil` when it is empty.
  @usableFromInline @inline(never)
  func resolveIfRegistered<Product>(
    _ product: Product.Type, in slot: SlotReference, within construction: Construction?
  ) throws(ResolutionError) -> Product? {
    let section = Section.enter()
    let word = slot.load()
    if word.isReady {
      defer { section.leave() }
      return unsafe word.box(of: product)._withUnsafeGuaranteedRef { $0.instance }
    }
    if word.isTransient {
      if section.depth <= Section.unrecordedDepth {
        return try build(product, from: word, in: section, within: construction)
      }
      return try section.recording(slot) { () throws(ResolutionError) in
        try build(product, from: word, in: section, within: construction)
      }
    }
    guard word.isDeferred else {
      section.leave()
      return nil
    }
    // Retained, so that the construction, which may take long, runs outside of the section.
    let record = unsafe word.deferred(of: product).takeUnretainedValue()
    section.leave()
    return switch record.scope.kind {
    case .weak: try record.weakInstance(for: Resolver(container: self, construction: construction))
    case .singleton, .transient:
      try record.singleInstance(
        in: slot, for: Resolver(container: self, construction: construction))
    }
  }
}

extension Section {
  /// Runs `body` with the slot on the thread's recorded path; an error if it is there already.
  ///
  /// - Parameter repetitions: how often the slot may be there. Without arguments a second time means a
  ///   cycle; with arguments it may be a recursion that ends.
  func recording<Result>(
    _ slot: SlotReference, repetitions: Int = 0,
    _ body: () throws(ResolutionError) -> Result
  ) throws(ResolutionError) -> Result {
    let outer = unsafe corinth_thread_path(thread)
    if let cycle = unsafe Section.cycle(closedBy: slot, on: outer, repetitions: repetitions) {
      leave()
      throw .circularDependencyDetected(ResolutionError.Context(recordedCycle: cycle))
    }
    var frame = unsafe corinth_frame(outer: outer, slot: slot.pointer)
    return unsafe try withUnsafeMutablePointer(to: &frame) { frame throws(ResolutionError) in
      // SAFETY: the frame is unlinked before it goes out of scope, on the same thread.
      unsafe corinth_thread_set_path(thread, frame)
      defer { unsafe corinth_thread_set_path(thread, outer) }
      return try body()
    }
  }

  private static func cycle(
    closedBy slot: SlotReference, on path: UnsafeMutablePointer<corinth_frame>?, repetitions: Int
  ) -> [RegistrationKey]? {
    var seen = 0
    var keys = [slot.key]
    var next = unsafe path
    while let frame = unsafe next {
      let recorded = unsafe SlotReference(frame.pointee.slot)
      keys.append(recorded.key)
      if recorded == slot {
        if seen == repetitions { return keys.reversed() }
        seen += 1
      }
      unsafe next = frame.pointee.outer
    }
    return nil
  }
}
