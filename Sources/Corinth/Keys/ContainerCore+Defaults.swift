// SPDX-License-Identifier: MIT

/// How the defaults of declared keys and of calls are registered.
extension ContainerCore {
  /// Registers the default of a key for which a lookup from here has found no registration: in the
  /// outermost container in which this container then finds the default. A frozen container gets
  /// the default too, as the default was there before the freezing.
  ///
  /// - Parameter make: makes the registration for its container.
  /// - Returns: whether a lookup is likely to find a registration.
  func registerDefault(
    of key: RegistrationKey, _ make: (ContainerCore) -> RegistrationRecord
  ) -> Bool {
    if firstClosed(lookingFor: key) != nil { return false }
    return withExtendedLifetime(key) { registerDefault(of: KeyWords(key), make) }
  }

  private func registerDefault(
    of words: KeyWords, _ make: (ContainerCore) -> RegistrationRecord
  ) -> Bool {
    var searched: [ContainerCore] = []
    var next: (core: ContainerCore, version: UInt64)? = (self, .max)
    while let (core, version) = next {
      searched.append(core)
      next = core.searchedNext(at: version) {
        core.hides($0, core.table.find(words), at: version)
      }
    }
    // A fork that does not see what its base has now has the default itself. What lies between
    // shares the default of the outermost container.
    for path in [searched, Array(selfAndAncestors)] {
      guard let core = path.last else { continue }
      // Twice or more often if the default is removed meanwhile.
      var isPublished = true
      while isPublished {
        isPublished = core.publishDefault(of: words, make(core), from: path)
        if explicitSlot(of: words) != nil { return true }
      }
    }
    return false
  }

  /// An instance of a key's registration, here or in an ancestor, or else of a default that comes
  /// with the call. The default is registered here alone: what its factory has captured belongs to
  /// the caller, as the container does.
  @usableFromInline @inline(never)
  func resolve<Product>(
    _ product: Product.Type, name: Name?, scope: AnyScope?, at location: SourceLocation,
    orByDefault factory: @escaping @Sendable (Resolver) throws -> Product
  ) throws -> Product {
    let key = RegistrationKey(product: product, name: name)
    while true {
      if let slot = registeredSlot(of: key) {
        // `nil` if the registration has been removed since.
        if let box = try box(in: slot, arguments: nil, within: nil) {
          return box.instance(of: product)
        }
        continue
      }
      try throwIfClosed(lookingFor: key)
      var attributes = RegistrationAttributes(
        key: key, scope: scope ?? .singleton, by: .default, location: location, owner: self)
      attributes.judge()
      let record = FactoryRecord(attributes, factory: factory)
      if publishDefault(record), Composition.isUsed { tellBehaviors(of: record) }
    }
  }

  /// Publishes the default of a key here, and in the versions on the way here that differ from
  /// their base, where the default may need what differs: as if the default had been there before
  /// the reloads.
  ///
  /// - Parameter path: the containers that have been searched, this one the last.
  /// - Returns: whether the default was published here.
  private func publishDefault(
    of words: KeyWords, _ record: RegistrationRecord, from path: [ContainerCore]
  ) -> Bool {
    guard table.find(words)?.load().isAbsent ?? true else { return false }
    func publishInVersions() {
      for core in path {
        guard let versions = (core.baseOfLayer ?? core).versionsIfMade else { continue }
        for version in versions.coresThatDiffer {
          _ = version.publishDefault(record.copied(to: version))
        }
      }
    }
    publishInVersions()
    guard publishDefault(record) else { return false }
    // A reload may have begun meanwhile.
    publishInVersions()
    if Composition.isUsed { tellBehaviors(of: record) }
    return true
  }

  /// Publishes the default of a key without a registration here.
  ///
  /// - Returns: whether the default was published.
  private func publishDefault(_ record: RegistrationRecord) -> Bool {
    enableTracking(for: record)
    forEachOfSelfAndAncestors { if $0 !== self { $0.noteRegistrationBelow() } }
    var isPublished = false
    let replaced = table.withWriterLock(makingSlotFor: KeyWords(record.key)) {
      slot -> RetiredRegistration? in
      // A version that hides its base's registration of the key has none, and no default yet.
      let isFree = slot.withRegistrationAssumingWriterLockHeld(\.isAbsence) ?? true
      if isClosed || !isFree { return nil }
      isPublished = true
      // Forks that see what is kept for the slot, or hidden since, do not see this default.
      let isKept = extrasIfMade?.liveVersions.keeps(slot) ?? false
      if isKept || fork?.isHiddenAssumingWriterLockHeld(slot) ?? false {
        return publishAssumingWriterLockHeld(record, in: slot)
      }
      // Forks made before find the default too: for them the base has had the default all along.
      record.version = 0
      return slot.publishAssumingWriterLockHeld(record)
    }
    replaced?.retire()
    return isPublished
  }

  private func tellBehaviors(of record: RegistrationRecord) {
    guard let container else { return }
    func tell<Product>(_ product: Product.Type) {
      container.tellBehaviors(of: Registration<Product>(container: container, record))
    }
    _openExistential(record.key.product, do: tell)
  }
}
