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
    // SAFETY: the section keeps the registration alive, then the cell of the construction does.
    unsafe try word.scopedRecord._withUnsafeGuaranteedRef {
      try $0.contentOfScope(section, in: slot, for: self, within: construction)
    } ?? .empty
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
      if word.isInput {
        return try resolve(product, from: word, of: slot, in: section, within: construction)
      }
      if word.isTransient, !decorates(product) {
        return try buildTracked(product, from: word, in: slot, section, within: construction)
      }
      let record = unsafe ProductWords.canHold(product) ? bareAsyncFactory(behind: word) : nil
      if let record = unsafe record { unsafe section.takeReference(to: record) }
      section.leave()
      if let record = unsafe record {
        // SAFETY: the reference taken, and the call's own reference, consumed by the end.
        defer { unsafe Section.giveReference(to: record) }
        let begun: Unmanaged<Construction>
        do {
          unsafe begun = try record._withUnsafeGuaranteedRef {
            unsafe try $0.beginUnshared(for: self, within: construction, arguments: nil)
          }
        } catch { throw ResolutionError(ofResolve: error) }
        defer { unsafe Construction.endUnshared(begun) }
        do {
          var words = unsafe try await Uncounted.run(record, begun)
          return words.take(product)
        } catch {
          throw unsafe record._withUnsafeGuaranteedRef { ResolutionError(error, thrownBy: $0) }
        }
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

/// The factory of a bare registration, run as a part of its construction. Called with uncounted
/// references: a registration's count is written by all threads.
private enum Uncounted {
  typealias Run =
    nonisolated(nonsending) @Sendable (
      Unmanaged<RegistrationRecord>, Unmanaged<Construction>
    ) async throws -> ProductWords

  // Structures, as a bare closure would be converted to a closure with indirect parameters.

  private struct OfReferences {
    let run:
      nonisolated(nonsending) @Sendable (
        AsyncFactoryRecord<ProductWords>, Construction
      ) async throws -> ProductWords
  }

  @safe
  private struct OfAddresses {
    let run: Run
  }

  // SAFETY: functions get parameters at +0, so that a reference passes as a single word. The caller
  // holds both. The factory of a record lies at one offset, whatever the product.
  @inline(__always)
  static var run: Run {
    unsafe unsafeBitCast(
      OfReferences { record, construction in
        try await construction.runInTask {
          try await record.factory(construction.uncountedResolver)
        }
      }, to: OfAddresses.self
    ).run
  }
}
