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

  // MARK: - The end of the view

  /// Ends the view of the base, at the end of the fork.
  func endView(of base: ContainerCore) { Self.end(takeVersions(), of: base) }

  /// Ends the view kept for a fork if neither the fork nor its forks look into the base any more.
  ///
  /// - Parameter core: the core of the fork, or of any other container.
  static func endViewIfUnneeded(by core: ContainerCore) {
    if let base = core.base { end(versionsUnneeded(by: core), of: base) }
  }

  /// Ends a fork's view, then the view of each base that hides all and has lost its last fork.
  private static func end(_ versions: [LiveVersion], of base: ContainerCore) {
    var (base, versions) = (base, versions)
    while !versions.isEmpty {
      var outermost = base
      for (core, version) in zip(base.selfAndAncestors, versions) {
        let dropped = core.table.withWriterLock { core.extras.liveVersions.end(version) }
        // Released with no lock held: factories may have deinits.
        withExtendedLifetime(dropped) {}
        outermost = core
      }
      guard let next = outermost.base else { return }
      versions = versionsUnneeded(by: outermost)
      base = next
    }
  }

  /// Takes the versions of the base, if neither the fork nor forks of the fork look there any more.
  private static func versionsUnneeded(by core: ContainerCore) -> [LiveVersion] {
    guard let fork = core.fork else { return [] }
    return core.table.withWriterLock {
      fork.hidesAll && core.extrasIfMade?.liveVersions.isEmpty ?? true ? fork.takeVersions() : []
    }
  }

  /// The versions, once. Needs the writer lock, or is called at the end of the fork.
  private func takeVersions() -> [LiveVersion] {
    defer { versions = [] }
    return versions
  }
}
