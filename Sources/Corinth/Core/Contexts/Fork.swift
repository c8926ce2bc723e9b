// SPDX-License-Identifier: MIT

internal import Synchronization

/// What makes a container a fork of another one, its base.
///
/// A fork has a table of its own, and no parent. It reads its base, and the ancestors of that, as they were at one number of
/// the clock. What it finds there it adopts: it publishes a copy of the registration, which has no instance, in a slot of
/// its own, so that the next resolve is as fast as any.
///
/// Invariants
///  1. What a fork sees of its base never changes: the base keeps for it what is superseded there. Whether a registration
///     has been adopted makes no difference but in time.
///  2. A key that was removed in the fork is hidden there from then on: the base is not asked for it. Forks of the fork
///     that were made before still ask.
@safe
// SAFETY: the variables are only touched with the writer lock of the fork held; all else is constant or atomic.
final class Fork: @unchecked Sendable {
  /// Has a container adopt the registration of a key that it sees in its base.
  ///
  /// - Returns: the slot of the key, if it has a registration then.
  typealias Adopt = @Sendable (KeyWords, ContainerCore) -> SlotReference?

  let adopt: Adopt
  /// The number of the clock at which it reads its base.
  let version: UInt64

  /// The same, as the base and each of its ancestors knows it; empty once the base is not read any more.
  private var versions: [LiveVersion]
  private var hidden: [SlotReference: UInt64] = [:]
  private let allHiddenSince = Atomic<UInt64>(.max)
  private let detached = Atomic<Bool>(false)

  init(at version: UInt64, _ versions: [LiveVersion], adopt: @escaping Adopt) {
    self.version = version
    self.versions = versions
    self.adopt = adopt
  }

  /// Whether all registrations of the base are hidden.
  var hidesAll: Bool { hidesAll(at: .max) }

  /// Whether all registrations of the base are hidden from whoever reads the fork at `version`.
  func hidesAll(at version: UInt64) -> Bool {
    let since = allHiddenSince.load(ordering: .acquiring)
    return since != .max && since <= version
  }

  func hideAllAssumingWriterLockHeld(since number: UInt64) {
    if !hidesAll { allHiddenSince.store(number, ordering: .releasing) }
  }

  /// Whether a key that is missing in the fork is missing for good: the base need not be asked.
  var isDetached: Bool { detached.load(ordering: .acquiring) }

  /// Called when all registrations have been adopted, and the base implies none.
  func detach() { detached.store(true, ordering: .releasing) }

  func hideAssumingWriterLockHeld(_ slot: SlotReference, since number: UInt64) {
    if hidden[slot] == nil { hidden[slot] = number }
  }

  /// Whether the base is not asked for a key by whoever reads the fork at `version`.
  ///
  /// - Parameter slot: that of the key here, if it has one.
  func isHiddenAssumingWriterLockHeld(_ slot: SlotReference?, at version: UInt64 = .max) -> Bool {
    if hidesAll(at: version) { return true }
    return slot.flatMap { hidden[$0] }.map { $0 <= version } ?? false
  }

  /// The slots whose keys are hidden; `nil` if all keys are.
  func hiddenSlotsAssumingWriterLockHeld(at version: UInt64) -> [SlotReference]? {
    if isHiddenAssumingWriterLockHeld(nil, at: version) { return nil }
    return hidden.filter { $0.value <= version }.map(\.key)
  }

  /// The versions, once. The writer lock is held, or this is the end of the fork.
  func takeVersions() -> [LiveVersion] {
    defer { versions = [] }
    return versions
  }
}

extension ContainerCore {
  /// The containers in which a key is looked up: this one, its ancestors or its base, and so on.
  var searched: some Sequence<ContainerCore> {
    sequence(first: self) { $0.parent ?? $0.base }
  }

  /// The first closed one of the containers in which a missing key would be looked up. A fork that is detached, or from
  /// which the key was removed, does not ask its base; a fork of it that was made before still does.
  @inline(never)
  func firstClosed(lookingFor key: RegistrationKey) -> ContainerCore? {
    var next: (core: ContainerCore, version: UInt64)? = (self, .max)
    while let (core, version) = next {
      if core.isClosed { return core }
      next = core.searchedNext(at: version) { core.hides($0, core.table.find(key), at: version) }
    }
    return nil
  }

  /// The parent, or the base, and at which version a key is looked up there that is missing here at `version`.
  ///
  /// - Parameter isHidden: whether the base is not asked.
  func searchedNext(
    at version: UInt64, unless isHidden: (Fork) -> Bool
  ) -> (core: ContainerCore, version: UInt64)? {
    if let parent { return (parent, version) }
    guard let fork, let base, !isHidden(fork) else { return nil }
    return (base, fork.version)
  }

  /// - Parameter slot: that of the key here, if it has one.
  func hides(_ fork: Fork, _ slot: SlotReference?, at version: UInt64) -> Bool {
    if fork.hidesAll(at: version) { return true }
    guard let slot else { return false }
    return table.withWriterLock { fork.isHiddenAssumingWriterLockHeld(slot, at: version) }
  }

  /// Runs `body` as the only writer of this container and its ancestors, at one moment of all of them. No user code may run
  /// in it.
  func withWriterLocksOfSelfAndAncestors<Result>(_ body: () -> Result) -> Result {
    if !hasParent { return table.withWriterLock(body) }
    var locks = WriterLocks()
    forEachOfSelfAndAncestors { locks.add($0.table) }
    return locks.withLocks(body)
  }

  /// Has this container and its ancestors keep what a new fork sees, all at one number of the clock. All their writer locks
  /// are held.
  func beginVersionsAssumingWriterLocksHeld() -> (number: UInt64, versions: [LiveVersion]) {
    let number = VersionClock.pass()
    var versions: [LiveVersion] = []
    forEachOfSelfAndAncestors { versions.append($0.extras.liveVersions.begin(number)) }
    return (number, versions)
  }

  /// Ends that for a fork. If this was the last fork of a fork that does not look into its base any more, that ends too.
  func endVersions(_ versions: [LiveVersion]) {
    var (base, versions) = (self, versions)
    while !versions.isEmpty {
      var outermost = base
      for (core, version) in zip(base.selfAndAncestors, versions) {
        let dropped = core.table.withWriterLock { core.extras.liveVersions.end(version) }
        // Let go of with no lock held: factories may have deinits.
        withExtendedLifetime(dropped) {}
        outermost = core
      }
      guard let next = outermost.base else { return }
      versions = outermost.takeVersionsIfUnneeded()
      base = next
    }
  }

  /// The versions of the base, if neither this fork nor a fork of it looks there any more.
  private func takeVersionsIfUnneeded() -> [LiveVersion] {
    guard let fork else { return [] }
    return table.withWriterLock {
      fork.hidesAll && extrasIfMade?.liveVersions.isEmpty ?? true ? fork.takeVersions() : []
    }
  }

  /// Has the base keep nothing for this fork if that, and forks of it, do not look there any more.
  func endVersionsIfUnneeded() {
    base?.endVersions(takeVersionsIfUnneeded())
  }
}
