// SPDX-License-Identifier: MIT

/// A container among its ancestors.
extension ContainerCore {
  /// The slot that a key is registered in, here or else in the nearest ancestor, or that serves it all the same;
  /// `nil` if there is none, or if a container before it is closed.
  ///
  /// - Complexity: O(*n*) in the number of ancestors.
  @usableFromInline @inline(never)
  func registeredSlot(of key: KeyWords) -> SlotReference? {
    explicitSlot(of: key) ?? implicitSlot(of: key)
  }

  /// The same, without what is served under keys that nothing is registered under.
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
  func registeredSlot(of key: RegistrationKey) -> SlotReference? {
    withExtendedLifetime(key) { registeredSlot(of: KeyWords(key)) }
  }

  @usableFromInline @inline(never)
  func registeredSlot(of product: any Any.Type, name: Name?) -> SlotReference? {
    registeredSlot(
      of: KeyWords(type: identity(of: product), name: name.map { NameBits($0) }, arguments: 0))
  }

  /// The nearest container, this one or an ancestor, that stores `.scoped` instances.
  var scope: ContainerCore? {
    selfAndAncestors.first(where: \.isScope)
  }

  /// The nearest container, this one or an ancestor, that stores the instances of request scopes of a name.
  ///
  /// - Complexity: O(*n*) in the number of ancestors.
  func scope(named name: Shared<Name>) -> ContainerCore? {
    firstOfSelfAndAncestors { $0.isScope(named: name) ? $0 : nil }
      ?? scopeOfAllNames
  }

  /// The nearest request scope, this one or an ancestor, that stands for those of all names.
  var scopeOfAllNames: ContainerCore? {
    firstOfSelfAndAncestors { $0.extrasIfMade?.standsForAllNames == true ? $0 : nil }
  }

  /// A fork is all scopes at once that its base is one of or within.
  private func isScope(named name: Shared<Name>) -> Bool {
    isScope && (scopeName == name || fork != nil && base?.scope(named: name) != nil)
  }

  /// Whether this is `ancestor` or one of its descendants.
  func isWithin(_ ancestor: ContainerCore) -> Bool {
    if !hasParent || self === ancestor { return self === ancestor }
    return selfAndAncestors.contains { $0 === ancestor }
  }

  /// This container and its ancestors, nearest first.
  var selfAndAncestors: some Sequence<ContainerCore> {
    sequence(first: self, next: \.parent)
  }

  /// Calls `body` with this and its ancestors, nearest first.
  @inline(__always)
  func forEachOfSelfAndAncestors(_ body: (ContainerCore) -> Void) {
    _ = firstOfSelfAndAncestors { core -> Void? in
      body(core)
      return nil
    }
  }

  /// The first result for this and its ancestors, nearest first. References to them are not counted: that would be a write to
  /// memory that all their children share.
  @inline(__always)
  func firstOfSelfAndAncestors<Result>(_ body: (ContainerCore) -> Result?) -> Result? {
    // SAFETY: each core holds its parent, and the caller holds this one.
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

  // MARK: - Resolutions

  /// Whether each transient resolve of the container tree must know its resolution, because the instances of some
  /// registration depend on that.
  @usableFromInline var tracksResolutions: Bool {
    table.tracksAllPaths
  }

  /// Makes ``tracksResolutions`` true for the whole container tree, for good.
  func trackResolutions() {
    table.trackAllPaths()
  }
}

extension SlotReference {
  /// Whether it hides what the ancestors of its container have of its key.
  fileprivate var isOfAbsence: Bool {
    let section = Section.enter()
    defer { section.leave() }
    let word = load()
    guard word.isDiverted else { return false }
    // SAFETY: a word of this tag points to a registration record, which the section keeps alive.
    let record: Unmanaged<InstanceState> = unsafe word.object(tagged: .diverted)
    return unsafe record._withUnsafeGuaranteedRef { $0.isAbsence }
  }
}
