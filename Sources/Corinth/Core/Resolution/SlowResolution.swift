// SPDX-License-Identifier: MIT

/// The slow path: missing registrations, first constructions, deeply nested transients, and
/// transients whose resolver does not belong to the thread's context.
extension ContainerCore {
  /// The slot of a key without arguments, whose name may be missing.
  @inlinable @inline(__always)
  func slot<Product>(of product: Product.Type, optionalName name: Name?) -> SlotReference? {
    if let name {
      slot(of: product, name: NameBits(name))
    } else {
      table.slot(ofType: identity(of: product))
    }
  }

  /// Throws the error of a closed container if a missing key would be looked up in one.
  func throwIfClosed(lookingFor key: RegistrationKey) throws(ResolutionError) {
    if firstClosed(lookingFor: key) != nil { throw missing(key) }
  }

  /// Resolves a key without a name, not found in the cache.
  @usableFromInline @inline(never)
  func resolveUncached<Product>(
    _ product: Product.Type, within construction: ResolutionContext?
  ) throws -> Product {
    guard let slot = table.find(type: identity(of: product)) else {
      return try resolveInherited(product, name: nil, within: construction)
    }
    return try resolve(product, in: slot, within: construction)
  }

  /// Resolves a key with a name, not found in the cache.
  @usableFromInline @inline(never)
  func resolveUncached<Product>(
    _ product: Product.Type, name: borrowing Name, within construction: ResolutionContext?
  ) throws -> Product {
    let key = KeyWords(type: identity(of: product), name: NameBits(name), arguments: 0)
    guard let slot = table.find(key) else {
      return try resolveInherited(product, name: copy name, within: construction)
    }
    return try resolve(product, in: slot, within: construction)
  }

  /// Resolves the key of a slot emptied meanwhile. Out of line: a name takes stack of every frame.
  @inline(never)
  private func resolveInherited<Product>(
    _ product: Product.Type, in slot: SlotReference, within construction: ResolutionContext?
  ) throws -> Product {
    try resolveInherited(product, name: slot.name, within: construction)
  }

  /// Resolves a key missing from the container's own slots.
  @usableFromInline @inline(never)
  func resolveInherited<Product>(
    _ product: Product.Type, name: Name?, within construction: ResolutionContext?
  ) throws -> Product {
    guard let slot = registeredSlot(of: product, name: name) else {
      let key = RegistrationKey(product: product, name: name)
      return try key.derivedBox(in: self, within: construction).instance(of: product)
    }
    return try resolve(product, in: slot, within: construction)
  }

  /// Calls `body` with an instance of a key missing from the container's own slots.
  @inlinable @inline(never)
  func withResolvedInherited<Product, Result>(
    _ product: Product.Type, name: Name?, within construction: ResolutionContext?,
    _ body: (Product) throws -> Result
  ) throws -> Result {
    guard let slot = registeredSlot(of: product, name: name) else {
      return try body(resolveInherited(product, name: name, within: construction))
    }
    return try withResolved(product, in: slot, within: construction, body)
  }

  /// Resolves a type inferred as an optional: the registration of the optional itself, or else of
  /// the wrapped type.
  @inlinable
  func resolveWrapped<Product>(
    _ product: Product.Type, name: Name?, within construction: ResolutionContext?
  ) throws -> Product? {
    if let slot = registeredSlot(of: Product?.self, name: name) {
      return try resolve(Product?.self, in: slot, within: construction)
    }
    return try resolveInherited(product, name: name, within: construction)
  }

  /// Resolves with more than a look at the word of the slot, and ends the section.
  @inline(never)
  func resolveSlowly<Product>(
    _ product: Product.Type, from word: SlotWord, of slot: SlotReference, in section: Section,
    within construction: ResolutionContext?
  ) throws -> Product {
    if word.isSimpleSingleton {
      return try resolveInPlace(product, from: word, of: slot, in: section, within: construction)
    }
    if word.isTransient, !decorates(product) {
      return try buildTracked(product, from: word, in: slot, section, within: construction)
    }
    if let found = unsafe weakObject(behind: word) {
      return unsafe weakInstance(of: product, takingOver: found.object, in: found.box, section)
    }
    if word.isDiverted, let begun = beginTransient(behind: word) {
      return try build(
        product, from: word.asTransient, begun, in: slot, section, within: construction)
    }
    guard let box = try box(behind: word, ending: section, in: slot, within: construction) else {
      return try resolveInherited(product, in: slot, within: construction)
    }
    return box.instance(of: product)
  }

  @inline(__always)
  private func beginTransient(behind word: SlotWord) -> ObservedConstruction? {
    // SAFETY: the caller's section.
    unsafe word.registration?._withUnsafeGuaranteedRef {
      $0.plan == .bareFactory && $0.factoryKind == .simple ? $0.beginPlain(in: self) : nil
    }
  }

  /// Builds a transient, and tells the behaviors.
  @inline(never)
  private func build<Product>(
    _ product: Product.Type, from word: SlotWord, _ begun: ObservedConstruction,
    in slot: SlotReference, _ section: Section, within construction: ResolutionContext?
  ) throws -> Product {
    // SAFETY: the use keeps the registration until the behaviors have been told.
    let use = Section.enter().leave(using: word.transientAddress, isShallow: false)
    defer { use.end() }
    let product =
      section.canBuildInline(in: table, within: construction)
      ? try build(product, from: word, in: section, within: construction)
      : try buildTracked(product, from: word, in: slot, section, within: construction)
    unsafe word.registration?._withUnsafeGuaranteedRef { $0.endObserved(begun) }
    return product
  }

  /// Resolves an instance for a resolution's cells, or a singleton not in the slot yet, and ends
  /// the section. Out of line, to keep the frames of unrelated nested resolves small.
  @inline(never)
  func resolveInPlace<Product>(
    _ product: Product.Type, from word: SlotWord, of slot: SlotReference, in section: Section,
    within construction: ResolutionContext?
  ) throws -> Product {
    // SAFETY: the section keeps the registration alive, then the place of the construction does.
    let content =
      word.isGraph
      ? unsafe try word.graphRecord._withUnsafeGuaranteedRef {
        try $0.contentOfGraph(section, in: slot, for: self, within: construction)
      }
      : try contentOfSingleton(behind: word, in: slot, section, within: construction)
    if let content { return content.takeInstance(of: product) }
    return try resolveByOrdinarySteps(product, in: slot, within: construction)
  }

  /// As above, for the cells of this scope. A function with fewer parameters, for the sake of hits.
  @inline(never)
  func resolveInScope<Product>(
    _ product: Product.Type, in slot: SlotReference, _ section: Section,
    within construction: ResolutionContext?
  ) throws -> Product {
    let word = slot.load()
    guard word.isScoped else {
      section.leave()
      return try resolveByOrdinarySteps(product, in: slot, within: construction)
    }
    // SAFETY: as above.
    let content = unsafe try word.scopedRecord._withUnsafeGuaranteedRef {
      try $0.contentOfScope(section, in: slot, for: self, within: construction)
    }
    if let content { return content.takeInstance(of: product) }
    return try resolveByOrdinarySteps(product, in: slot, within: construction)
  }

  private func resolveByOrdinarySteps<Product>(
    _ product: Product.Type, in slot: SlotReference, within construction: ResolutionContext?
  ) throws -> Product {
    guard let box = try box(in: slot, arguments: nil, within: construction) else {
      return try resolveInherited(product, in: slot, within: construction)
    }
    return box.instance(of: product)
  }

  /// Resolves an input, and ends the section: the only value that this scope was given as the type,
  /// for a resolve inside nothing that may outlive the scope, or else what the factory finds.
  @inline(never)
  func resolveInput<Input>(
    _ type: Input.Type, from word: SlotWord, of slot: SlotReference, in section: Section,
    within construction: ResolutionContext?
  ) throws -> Input {
    let word = word.asTransient
    guard section.canBuildInline(in: table, within: construction) else {
      return try resolveSlowly(type, from: word, of: slot, in: section, within: construction)
    }
    if ResolutionContext.mayAsk(self, section, within: construction), ScopeInputs.isAligned(type),
      let given = unsafe inputs.place(of: type), unsafe !given.isRepeated
    {
      section.leave()
      return unsafe given.value.assumingMemoryBound(to: Input.self).pointee
    }
    return try build(type, from: word, in: section, within: construction)
  }

  /// The instance of a weak registration, made from the object. Ends the section.
  @inline(never)
  private func weakInstance<Product>(
    of product: Product.Type, takingOver object: Unmanaged<AnyObject>,
    in box: Unmanaged<AnyWeakBox>, _ section: Section
  ) -> Product {
    defer { section.leave() }
    // SAFETY: the section keeps the box alive; the slot's key, of this product, decides its class.
    return unsafe box._withUnsafeGuaranteedRef {
      unsafe unsafeDowncast($0, to: WeakBox<Product>.self).instance(takingOver: object)
    }
  }

  /// Builds a transient, recording its level if deep, in the context of its resolver.
  @inline(never)
  func buildTracked<Product>(
    _ product: Product.Type, from word: SlotWord, in slot: SlotReference, _ section: Section,
    within construction: ResolutionContext?
  ) throws -> Product {
    if canBuildInline(section, afterAll: construction) {
      return try build(product, from: word, in: section, within: construction)
    }
    let level = try push(slot, in: section)
    let resolution = OpenResolution.begin(in: self, within: construction, building: slot)
    defer {
      resolution.end()
      level.end()
    }
    return try build(product, from: word, in: section, within: resolution.context, isShallow: false)
  }

  /// As ``Section/pushFrame(_:recursions:)``, which runs no factory whose failure would be told.
  @inline(never)
  private func push(_ slot: SlotReference, in section: Section) throws -> Section.Level {
    do throws(ResolutionError) { return try section.pushFrame(slot) } catch {
      slot.registration?.tell(of: error)
      throw error
    }
  }

  /// Whether a transient can be built inline although the resolver's context is not the thread's:
  /// the resolver was stored beyond the end of its factory, and the thread runs no context.
  func canBuildInline(_ section: Section, afterAll construction: ResolutionContext?) -> Bool {
    section.canBuildInline(in: table, within: nil) && ResolutionContext.isOver(construction)
  }
}

/// The part of the slow path without types.
extension ContainerCore {
  /// The object of a weak registration if alive, retained, and the current box. Needs a section.
  @inline(__always)
  fileprivate func weakObject(
    behind word: SlotWord
  ) -> (object: Unmanaged<AnyObject>, box: Unmanaged<AnyWeakBox>)? {
    guard word.isRegistration else { return nil }
    // SAFETY: the section keeps record and boxes alive; weak registrations' boxes have this class.
    return unsafe word.record._withUnsafeGuaranteedRef { record in
      guard record.policy.box == .weak,
        let box = unsafe record.load().builtContent(as: AnyWeakBox.self)
      else { return nil }
      guard let object = unsafe box._withUnsafeGuaranteedRef({ unsafe $0.retainedObject }) else {
        return nil
      }
      return unsafe (object, box)
    }
  }

  /// An instance of the slot's registration; `nil` for an empty slot.
  func box(
    in slot: SlotReference, arguments: AnyArguments?, within construction: ResolutionContext?
  ) throws(ResolutionError) -> AnyInstanceBox? {
    let section = Section.enter(in: table, from: slot)
    return try box(
      behind: slot.load(), ending: section, in: slot, arguments: arguments, within: construction)
  }

  /// As the form above, for a word that the slot held in a section. The section ends before
  /// anything is built: that may take long.
  @inline(__always)
  func box(
    behind word: SlotWord, ending section: Section, in slot: SlotReference,
    arguments: AnyArguments? = nil, within construction: ResolutionContext?
  ) throws(ResolutionError) -> AnyInstanceBox? {
    table.checkImage()
    let found = found(behind: word)
    section.leave()
    if let box = found.box { return box }
    guard let record = found.record else { return nil }
    if record.isObserved {
      return try observedBox(of: record, in: slot, arguments: arguments, within: construction)
    }
    // Not `RegistrationRecord.box`, which costs nested resolves a frame each.
    let request = Request(slot, for: self, within: construction, arguments: arguments)
    if !record.sharesInstances { return try record.transientBox(request) }
    var earlier = EarlierAttempts()
    return try record.resolveBox(request, after: &earlier)
  }

  /// Resolves an instance, and tells the behaviors. Out of line: nested resolves need small frames.
  @inline(never)
  private func observedBox(
    of record: RegistrationRecord, in slot: SlotReference, arguments: AnyArguments?,
    within construction: ResolutionContext?
  ) throws(ResolutionError) -> AnyInstanceBox {
    do throws(ResolutionError) {
      let box = try record.box(
        Request(slot, for: self, within: construction, arguments: arguments))
      record.owner.didResolve(record.key, box, from: self)
      return box
    } catch {
      record.tell(of: error, from: self)
      throw error
    }
  }

  /// The objects behind a word: a ready instance, or else a registration. Retained for later use.
  @inline(__always)
  private func found(
    behind word: SlotWord
  ) -> (box: AnyInstanceBox?, record: RegistrationRecord?) {
    if let box = word.readyBox { return (box, nil) }
    // SAFETY: the section keeps the registration alive until the retain.
    return (nil, unsafe word.registration?.takeUnretainedValue())
  }

  /// An instance of a key's registration, here or in an ancestor.
  func box(
    of key: RegistrationKey, arguments: AnyArguments? = nil,
    within construction: ResolutionContext? = nil
  ) throws(ResolutionError) -> AnyInstanceBox {
    try servedBox(of: key, arguments: arguments, within: construction).box
  }

  /// As `box(of:)`, with the registration that served, overridden or not since; `nil` if derived.
  func servedBox(
    of key: RegistrationKey, arguments: AnyArguments?, within construction: ResolutionContext?
  ) throws(ResolutionError) -> Served {
    while let slot = registeredSlot(of: key) {
      let section = Section.enter(in: table, from: slot)
      let word = slot.load()
      // SAFETY: the section keeps the registration alive until the retain.
      let record = unsafe word.registration?.takeUnretainedValue()
      let box = try box(
        behind: word, ending: section, in: slot, arguments: arguments, within: construction)
      if let box { return (box, record) }
    }
    return (try key.derivedBox(in: self, within: construction), nil)
  }
}
