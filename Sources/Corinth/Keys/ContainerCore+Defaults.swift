// SPDX-License-Identifier: MIT

/// Where the default of a declared key is registered.
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
    var outermost = self
    var next: (core: ContainerCore, version: UInt64)? = (self, .max)
    while let (core, version) = next {
      outermost = core
      next = core.searchedNext(at: version) {
        core.hides($0, core.table.find(words), at: version)
      }
    }
    // A fork that does not see what its base has now has the default itself. What lies between
    // shares the default of the outermost container.
    for core in [outermost, selfAndAncestors.reduce(self) { $1 }] {
      // Twice or more often if the default is removed meanwhile.
      while core.publishDefault(make(core)) {
        if explicitSlot(of: words) != nil { return true }
      }
      if explicitSlot(of: words) != nil { return true }
    }
    return false
  }

  /// Publishes the default of a key without a registration here.
  ///
  /// - Returns: whether the default was published.
  private func publishDefault(_ record: RegistrationRecord) -> Bool {
    enableTracking(for: record)
    forEachOfSelfAndAncestors { if $0 !== self { $0.noteRegistrationBelow() } }
    var isPublished = false
    let replaced = table.withWriterLock(makingSlotFor: record.key) {
      slot -> RetiredRegistration? in
      if isClosed || !slot.load().isAbsent { return nil }
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
    if isPublished, Composition.isUsed { tellBehaviors(of: record) }
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
