// SPDX-License-Identifier: MIT

/// Resolving from tasks. A section never spans a suspension.
extension ContainerCore {
  /// The instance of a ready singleton of this container; `nil` for all other registrations.
  @inlinable @inline(__always)
  func readyInstance<Product>(of product: Product.Type, name: Name?) -> Product? {
    guard let slot = slot(of: product, optionalName: name) else { return nil }
    let section = Section.enter(in: table, from: slot)
    let word = slot.load()
    if word.isReady { return word.instance(of: product, leaving: section) }
    section.leave()
    return nil
  }

  /// Resolves without a wait, at a call site: a ready instance, a plain transient, or an instance
  /// of this scope's cell, held or built by the call; `nil` for all other registrations.
  @inlinable @inline(__always)
  func resolveAtOnce<Product>(
    _ product: Product.Type, name: Name?, within construction: ResolutionContext?
  ) throws -> Product? {
    guard let slot = slot(of: product, optionalName: name) else { return nil }
    let section = Section.enter(in: table, from: slot)
    let word = slot.load()
    if word.isReady { return word.instance(of: product, leaving: section) }
    if word.isTransient && section.canBuildInline(in: table, within: construction) {
      return try build(product, from: word, in: section, within: construction)
    }
    if word.isScoped {
      let content = builtContentOfCell(behind: slot, section, within: construction)
      if !content.isEmpty { return instance(of: product, in: content, leaving: section) }
      let built = try instanceInCell(behind: word, in: slot, section, within: construction)
      return built.isEmpty ? nil : instance(of: product, taking: built)
    }
    section.leave()
    return nil
  }

  /// The content of a slot's registration's cell, until the section ends; empty if steps remain.
  @usableFromInline @inline(never)
  func builtContentOfCell(
    behind slot: SlotReference, _ section: Section, within construction: ResolutionContext?
  ) -> PlaceWord {
    let content = contentOfCell(behind: slot, section, within: construction)
    return content.isBuilt ? content : .empty
  }

  /// The instance of a built word. Leaves the section. Shared by call sites: not specialized.
  @usableFromInline @inline(never)
  func instance<Product>(
    of product: Product.Type, in content: PlaceWord, leaving section: Section
  ) -> Product {
    content.instance(of: product, leaving: section)
  }

  /// A built word with a reference; empty to ask for the ordinary steps. Ends the section.
  @usableFromInline @inline(never)
  func instanceInCell(
    behind word: SlotWord, in slot: SlotReference, _ section: Section,
    within construction: ResolutionContext?
  ) throws -> PlaceWord {
    try contentOfScope(behind: word, in: slot, section, within: construction) ?? .empty
  }

  /// The instance of a built word, with whose content the caller gives up a reference.
  @usableFromInline @inline(never)
  func instance<Product>(of product: Product.Type, taking built: PlaceWord) -> Product {
    built.takeInstance(of: product)
  }

  /// Resolves in place of a call site: without a suspension, if nothing must be awaited.
  @usableFromInline @inline(never)
  nonisolated(nonsending)
    func resolveAsync<Product>(
      _ product: Product.Type, name: Name?, within construction: ResolutionContext?
    ) async throws -> Product
  {
    if let slot = slot(of: product, optionalName: name) {
      let section = Section.enter(in: table, from: slot)
      let word = slot.load()
      if word.isTransient, !decorates(product) {
        return try buildTracked(product, from: word, in: slot, section, within: construction)
      }
      let record = unsafe bareAsyncFactory(behind: word)
      if let record = unsafe record { unsafe section.takeReference(to: record) }
      section.leave()
      if let record = unsafe record {
        // SAFETY: the reference taken.
        defer { unsafe Section.giveReference(to: record) }
        return unsafe try await newProduct(product, of: record, within: construction)
      }
    }
    let key = RegistrationKey(product: product, name: name)
    return try await boxAsync(of: key, within: construction).instance(of: product)
  }

  /// The registration behind a word, until the section ends, if a resolve only awaits its factory.
  @inline(__always)
  private func bareAsyncFactory(behind word: SlotWord) -> Unmanaged<RegistrationRecord>? {
    guard let found = unsafe word.registration else { return nil }
    let isBare = unsafe found._withUnsafeGuaranteedRef {
      $0.plan == .bareAsyncFactory && !(Composition.isUsed && isPutAround($0))
    }
    return unsafe isBare ? found : nil
  }

  /// Whether resolves of a registration are reported, or constructions are composed here.
  @inline(never)
  private func isPutAround(_ record: RegistrationRecord) -> Bool { record.isObserved || isComposed }

  /// A new product, unboxed, of a bare registration without decorators or behaviors.
  ///
  /// - Parameter record: holds an asynchronous factory of the product; retained by the caller.
  @inline(__always)
  nonisolated(nonsending)
    private func newProduct<Product>(
      _ product: Product.Type, of record: Unmanaged<RegistrationRecord>,
      within context: ResolutionContext?
    ) async throws(ResolutionError) -> Product
  {
    // SAFETY, of the record: the caller's reference.
    let construction: Unmanaged<Construction>
    do {
      unsafe construction = try record._withUnsafeGuaranteedRef {
        unsafe try $0.beginUnshared(for: self, within: context, arguments: nil)
      }
    } catch { throw ResolutionError(ofResolve: error) }
    // SAFETY: the call's own reference, consumed by the end.
    defer { unsafe Construction.endUnshared(construction) }
    let memory = ProductMemory(of: product)
    defer { memory.deallocate() }
    do {
      unsafe try await run(record, in: construction.takeUnretainedValue(), into: memory)
    } catch {
      throw unsafe record._withUnsafeGuaranteedRef { ResolutionError(error, thrownBy: $0) }
    }
    return memory.take(product)
  }

  /// Releases its reference to the construction on return: the construction can then be reused.
  @inline(__always)
  nonisolated(nonsending)
    private func run(
      _ record: Unmanaged<RegistrationRecord>, in construction: Construction,
      into memory: ProductMemory
    ) async throws
  {
    // The operation returns nothing: the library then binds the value inline in this frame.
    try await construction.runInTask {
      let resolver = UncountedResolver(registry: self, construction: construction)
      unsafe try await Uncounted.build(record, resolver, memory.pointer)
    }
  }

  /// Resolves the registration of the optional itself, or else of the wrapped type.
  @usableFromInline
  nonisolated(nonsending)
    func resolveWrappedAsync<Product>(
      _ product: Product.Type, name: Name?, within construction: ResolutionContext?
    ) async throws -> Product?
  {
    let own = RegistrationKey(product: Product?.self, name: name)
    let key =
      registeredSlot(of: own) == nil ? RegistrationKey(product: product, name: name) : own
    return try await boxAsync(of: key, within: construction).optional(of: product)
  }

  /// An instance of a key's registration, here or in an ancestor.
  nonisolated(nonsending)
    func boxAsync(
      of key: RegistrationKey, arguments: AnyArguments? = nil,
      within construction: ResolutionContext? = nil
    ) async throws(ResolutionError) -> AnyInstanceBox
  {
    try await servedBoxAsync(of: key, arguments: arguments, within: construction).box
  }

  /// As `boxAsync`, with the registration that served, overridden or not; `nil` if derived.
  @inline(__always)
  nonisolated(nonsending)
    func servedBoxAsync(
      of key: RegistrationKey, arguments: AnyArguments?, within construction: ResolutionContext?
    ) async throws(ResolutionError) -> Served
  {
    table.checkImage()
    while let slot = registeredSlot(of: key) {
      let section = Section.enter(in: table, from: slot)
      let word = slot.load()
      // SAFETY: the section keeps the registration alive until the retain.
      let (box, found) = (word.readyBox, unsafe word.registration?.takeUnretainedValue())
      section.leave()
      guard let record = found else { continue }
      if let box { return (box, record) }
      do throws(ResolutionError) {
        let box = try await record.resolveBoxAsync(
          Request(slot, for: self, within: construction, arguments: arguments))
        if record.isObserved { record.owner.didResolve(record.key, box, from: self) }
        return (box, record)
      } catch {
        record.tell(of: error, from: self)
        throw error
      }
    }
    let derived = try key.derivation(in: self)
    guard let redirect = try derived.redirect(named: key.name, in: self) else {
      return (try derived.box(named: key.name, in: self, within: construction), nil)
    }
    do { return (try await boxAsync(of: redirect, within: construction), nil) } catch {
      throw ResolutionError(ofResolve: error)
    }
  }

  /// Follows a redirection in a task. Asynchronous registrations are built in turn.
  nonisolated(nonsending)
    func boxAsync(
      of redirect: Redirect, within context: ResolutionContext?
    ) async throws -> AnyInstanceBox
  {
    var own: ResolutionContext?
    if redirect.goal == .all, tracksResolutions, ResolutionContext.unfinished(context) == nil {
      own = GraphContext(in: self)
    }
    defer { own?.finish() }
    let observation = redirect.goal == .each ? redirect.observation : Observation.ofOptional
    var served: [Served] = []
    for key in redirect.keys where redirect.goal != .first || served.isEmpty {
      if redirect.goal != .each, registeredSlot(of: key) == nil {
        try throwIfClosed(lookingFor: key)
        continue
      }
      do {
        served.append(
          try await observation.aroundAsync {
            try await servedBoxAsync(
              of: key, arguments: redirect.arguments, within: own ?? context)
          })
      } catch {
        // A registration removed meanwhile is left out.
        if redirect.goal == .each || !error.isMissing(key) { throw error }
      }
    }
    return try redirect.finish(served)
  }
}

/// ``RegistrationRecord/buildAsync(with:at:)``, called with an uncounted reference: a
/// registration's count is written by all threads.
private enum Uncounted {
  typealias Build =
    nonisolated(nonsending) @Sendable (
      Unmanaged<RegistrationRecord>, UncountedResolver, UnsafeMutableRawPointer
    ) async throws -> Void

  // Structures, as a bare closure would be converted to a closure with indirect parameters.

  @safe
  private struct OfReference {
    let build:
      nonisolated(nonsending) @Sendable (
        RegistrationRecord, UncountedResolver, UnsafeMutableRawPointer
      ) async throws -> Void
  }

  @safe
  private struct OfAddress {
    let build: Build
  }

  // SAFETY: functions get parameters at +0, so that a reference passes as a single word.
  @inline(__always)
  static var build: Build {
    unsafe unsafeBitCast(
      OfReference { unsafe try await $0.buildAsync(with: $1, at: $2) }, to: OfAddress.self
    ).build
  }
}

/// Memory for the product of a factory.
@safe
// SAFETY: owned by one construction, which takes the product out after awaiting the factory.
private struct ProductMemory: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer

  init<Product>(of product: Product.Type) {
    unsafe pointer = UnsafeMutableRawPointer(UnsafeMutablePointer<Product>.allocate(capacity: 1))
  }

  @inline(__always)
  func take<Product>(_: Product.Type) -> Product {
    unsafe pointer.assumingMemoryBound(to: Product.self).move()
  }

  func deallocate() {
    unsafe pointer.deallocate()
  }
}
