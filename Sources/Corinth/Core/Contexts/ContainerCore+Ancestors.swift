// SPDX-License-Identifier: MIT

/// A container among its ancestors.
extension ContainerCore {
  /// The slot of a key's registration, here or in the nearest ancestor, or a slot that serves the
  /// key implicitly; `nil` without any, or behind a closed container.
  ///
  /// - Complexity: O(*n*) in the number of ancestors.
  @usableFromInline @inline(never)
  func registeredSlot(of key: KeyWords) -> SlotReference? {
    if let slot = explicitSlot(of: key) ?? implicitSlot(of: key) { return slot }
    // A declared key registers its default at the first lookup.
    let value = NameBits(key.words).name?.value
    return value?.registerDefault(in: self) ?? false ? explicitSlot(of: key) : nil
  }

  /// As ``registeredSlot(of:)``, without implicit keys, which no registration names.
  func explicitSlot(of key: KeyWords) -> SlotReference? {
    let found = firstOfSelfAndAncestors { registry -> SlotReference?? in
      if registry.isClosed { return .some(nil) }
      if let slot = registry.table.find(key) {
        let word = slot.load()
        if !word.isAbsent { return word.isDiverted && slot.isOfAbsence ? .some(nil) : slot }
      }
      if registry.hasParent { return nil }
      let adopted = registry.fork.flatMap { $0.adopt(key, registry) }
      return .some(adopted.flatMap { $0.isOfAbsence ? nil : $0 })
    }
    return found ?? nil
  }

  /// As ``registeredSlot(of:)``, for a key that outlives the call.
  @inline(never) func registeredSlot(of key: RegistrationKey) -> SlotReference? {
    withExtendedLifetime(key) { registeredSlot(of: KeyWords(key)) }
  }

  @usableFromInline @inline(never)
  func registeredSlot(of product: any Any.Type, name: Name?) -> SlotReference? {
    registeredSlot(
      of: KeyWords(type: identity(of: product), name: name.map { NameBits($0) }, arguments: 0))
  }

  /// The nearest container, from here outwards, that stores `.scoped` instances.
  var scope: ContainerCore? {
    selfAndAncestors.first(where: \.isScope)
  }

  /// The nearest container, from here outwards, that stores instances of scopes with the name.
  ///
  /// - Complexity: O(*n*) in the number of ancestors.
  func scope(named name: Shared<Name>) -> ContainerCore? {
    firstOfSelfAndAncestors { $0.isScope(named: name) ? $0 : nil } ?? scopeOfAllNames
  }

  /// The nearest request scope, from here outwards, that stands in for scopes of all names.
  var scopeOfAllNames: ContainerCore? {
    firstOfSelfAndAncestors { $0.extrasIfMade?.standsForAllNames == true ? $0 : nil }
  }

  /// A fork stands for all scopes at or around the base at once.
  private func isScope(named name: Shared<Name>) -> Bool {
    isScope && (scopeName == name || fork != nil && base?.scope(named: name) != nil)
  }

  /// Whether `ancestor` is the container or an ancestor of it.
  func isWithin(_ ancestor: ContainerCore) -> Bool {
    if !hasParent || self === ancestor { return self === ancestor }
    return selfAndAncestors.contains { $0 === ancestor }
  }

  /// The container and the ancestors, nearest first.
  var selfAndAncestors: some Sequence<ContainerCore> {
    sequence(first: self, next: \.parent)
  }

  /// Calls `body` with the container and the ancestors, nearest first.
  @inline(__always)
  func forEachOfSelfAndAncestors(_ body: (ContainerCore) -> Void) {
    _ = firstOfSelfAndAncestors { core -> Void? in
      body(core)
      return nil
    }
  }

  /// The first result for the container and the ancestors, nearest first. Counts no references: the
  /// counts would be writes to memory shared by all children.
  @inline(__always)
  func firstOfSelfAndAncestors<Result>(_ body: (ContainerCore) -> Result?) -> Result? {
    // SAFETY: each core holds its parent, and the caller holds the first core.
    var next = unsafe Optional(Unmanaged.passUnretained(self))
    while let core = unsafe next {
      let result = unsafe core._withUnsafeGuaranteedRef { core in
        unsafe next = core.parentLink.unretained
        return body(core)
      }
      if let result { return result }
    }
    return nil
  }

  // MARK: - With the bases of forks

  /// The containers searched for a key: the container, the ancestors or the base, and so on.
  var searched: some Sequence<ContainerCore> {
    sequence(first: self) { $0.parent ?? $0.base }
  }

  /// The first closed container in the search for a missing key. A fork that hides the key, or all
  /// keys, does not ask the base; a fork of that fork, made before the hiding, still does.
  @inline(never)
  func firstClosed(lookingFor key: RegistrationKey) -> ContainerCore? {
    var next: (core: ContainerCore, version: UInt64)? = (self, .max)
    while let (core, version) = next {
      if core.isClosed { return core }
      next = core.searchedNext(at: version) { core.hides($0, core.table.find(key), at: version) }
    }
    return nil
  }

  /// The parent or the base, and its version at which to look up a key missing here at `version`.
  ///
  /// - Parameter isHidden: whether the base is not asked.
  func searchedNext(
    at version: UInt64, unless isHidden: (Fork) -> Bool
  ) -> (core: ContainerCore, version: UInt64)? {
    if let parent { return (parent, version) }
    guard let fork, let base, !isHidden(fork) else { return nil }
    return (base, fork.version)
  }

  /// - Parameter slot: the slot of the key here, if any.
  func hides(_ fork: Fork, _ slot: SlotReference?, at version: UInt64) -> Bool {
    if fork.hidesAll(at: version) { return true }
    guard let slot else { return false }
    return table.withWriterLock { fork.isHiddenAssumingWriterLockHeld(slot, at: version) }
  }

  /// Runs `body` as the only writer of the container and all ancestors, at a single moment for all.
  /// `body` may run no user code.
  func withWriterLocksOfSelfAndAncestors<Result>(_ body: () -> Result) -> Result {
    if !hasParent { return table.withWriterLock(body) }
    var locks = WriterLocks()
    forEachOfSelfAndAncestors { locks.add($0.table) }
    return locks.withLocks(body)
  }

  // MARK: - Resolutions

  /// Whether every transient resolve of the container tree must know the resolution, because the
  /// instances of some registration depend on it.
  @usableFromInline var tracksResolutions: Bool {
    table.tracksAllPaths
  }

  /// Makes ``tracksResolutions`` true for the whole container tree, for good.
  func trackResolutions() {
    table.trackAllPaths()
  }

  /// Whether a registration of the container tree takes requesters. Asked only with paths tracked.
  ///
  /// - Complexity: O(*n*) in the number of ancestors.
  var tracksRequesters: Bool {
    guard RequesterTracking.isUsed else { return false }
    let isOn = firstOfSelfAndAncestors { $0.hasParent ? nil : $0.extrasIfMade?.requesters.isOn }
    return isOn ?? false
  }

  /// Makes ``tracksRequesters`` true for the whole container tree, for good.
  func trackRequesters() {
    forEachOfSelfAndAncestors { if !$0.hasParent { $0.extras.requesters.turnOn() } }
    trackResolutions()
  }

  /// A slot that serves a key without a registration. Looks only here, not in the ancestors.
  private func implicitSlot(of key: KeyWords) -> SlotReference? {
    if implicit.isNil { return nil }
    // Without ancestors, avoids the walk.
    if hasParent ? selfAndAncestors.contains(where: \.isClosed) : isClosed { return nil }
    return implicit.load()?.slotServing(key, for: self)
  }
}

extension SlotReference {
  /// Whether the slot holds an absence record, which hides the ancestors' registrations of the key.
  fileprivate var isOfAbsence: Bool {
    let section = Section.enter()
    defer { section.leave() }
    let word = load()
    guard word.isDiverted else { return false }
    // SAFETY: a diverted word points to a registration record, kept alive by the section.
    let record: Unmanaged<RegistrationRecord> = unsafe word.object(tagged: .diverted)
    return unsafe record._withUnsafeGuaranteedRef { $0.isAbsence }
  }
}
