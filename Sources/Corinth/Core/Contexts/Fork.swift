// SPDX-License-Identifier: MIT

internal import Synchronization

/// The view of a fork on the fork's base.
///
/// A fork has a table of its own, and no parent. A fork reads the base, and the base's ancestors,
/// as of one number of the clock. A registration found there is adopted: a copy, without the
/// instance, is published in a slot of the fork, so that the next resolve is as fast as any.
///
/// Invariants
///  1. A fork's view of the base never changes: the base keeps superseded registrations for the
///     fork. An adopted registration differs from a registration not yet adopted only in time.
///  2. A key removed in the fork is hidden from then on: the base is not asked for the key. Forks
///     of the fork made before the removal still ask.
@safe
// SAFETY: variables are touched with the fork's writer lock held; all else is constant or atomic.
final class Fork: @unchecked Sendable {
  /// Has a container adopt the registration of a key, as visible in the base.
  ///
  /// - Returns: the slot of the key, if it has a registration after the call.
  typealias Adopt = @Sendable (KeyWords, ContainerCore) -> SlotReference?

  let adopt: Adopt
  /// The number of the clock at which the fork reads the base.
  let version: UInt64

  /// The version as known to the base and to every ancestor; empty once the base is no longer read.
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

  /// Whether all registrations of the base are hidden from readers of the fork at `version`.
  func hidesAll(at version: UInt64) -> Bool {
    let since = allHiddenSince.load(ordering: .acquiring)
    return since != .max && since <= version
  }

  func hideAllAssumingWriterLockHeld(since number: UInt64) {
    if !hidesAll { allHiddenSince.store(number, ordering: .releasing) }
  }

  /// Whether a key missing in the fork is missing for good, without a look into the base.
  var isDetached: Bool { detached.load(ordering: .acquiring) }

  /// Called when all registrations have been adopted, and the base implies none.
  func detach() { detached.store(true, ordering: .releasing) }

  func hideAssumingWriterLockHeld(_ slot: SlotReference, since number: UInt64) {
    if hidden[slot] == nil { hidden[slot] = number }
  }

  /// Whether a key is not looked up in the base for readers of the fork at `version`.
  ///
  /// - Parameter slot: the slot of the key here, if any.
  func isHiddenAssumingWriterLockHeld(_ slot: SlotReference?, at version: UInt64 = .max) -> Bool {
    if hidesAll(at: version) { return true }
    return slot.flatMap { hidden[$0] }.map { $0 <= version } ?? false
  }

  /// The slots of hidden keys; `nil` if all keys are hidden.
  func hiddenSlotsAssumingWriterLockHeld(at version: UInt64) -> [SlotReference]? {
    if isHiddenAssumingWriterLockHeld(nil, at: version) { return nil }
    return hidden.filter { $0.value <= version }.map(\.key)
  }

  /// The versions, once. Needs the writer lock, or is called at the end of the fork.
  func takeVersions() -> [LiveVersion] {
    defer { versions = [] }
    return versions
  }
}

extension ContainerCore {
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

  /// Has the container and the ancestors keep the view of a new fork, at a single number of the
  /// clock. The writer locks of all are held.
  func beginVersionsAssumingWriterLocksHeld() -> (number: UInt64, versions: [LiveVersion]) {
    let number = VersionClock.pass()
    var versions: [LiveVersion] = []
    forEachOfSelfAndAncestors { versions.append($0.extras.liveVersions.begin(number)) }
    return (number, versions)
  }

  /// Ends a fork's view, then the view of each base that hides all and has lost its last fork.
  func endVersions(_ versions: [LiveVersion]) {
    var (base, versions) = (self, versions)
    while !versions.isEmpty {
      var outermost = base
      for (core, version) in zip(base.selfAndAncestors, versions) {
        let dropped = core.table.withWriterLock { core.extras.liveVersions.end(version) }
        // Released with no lock held: factories may have deinits.
        withExtendedLifetime(dropped) {}
        outermost = core
      }
      guard let next = outermost.base else { return }
      versions = outermost.takeVersionsIfUnneeded()
      base = next
    }
  }

  /// The versions of the base, if neither the fork nor forks of the fork look there any more.
  private func takeVersionsIfUnneeded() -> [LiveVersion] {
    guard let fork else { return [] }
    return table.withWriterLock {
      fork.hidesAll && extrasIfMade?.liveVersions.isEmpty ?? true ? fork.takeVersions() : []
    }
  }

  /// Ends the views kept for the fork if neither it nor its forks look into the base any more.
  func endVersionsIfUnneeded() {
    base?.endVersions(takeVersionsIfUnneeded())
  }
}
