// SPDX-License-Identifier: MIT

internal import Synchronization

/// What makes a container a fork of another one, its base.
///
/// A fork has a table of its own, and no parent. It finds a key that it lacks in its base, and adopts it: it publishes a
/// copy of the registration, which has no instance, in a slot of its own. From then on the registration is the fork's.
///
/// Invariants
///  1. A fork sees the registrations that its base and the base's ancestors had when it was made. Later ones have a
///     higher number. Before a writer takes one out of its slot, all forks adopt it.
///  2. A slot of the fork whose key was removed there is hidden: nothing is adopted for it.
@safe
// SAFETY: `hidden` is only touched with the writer lock of the fork held; all else is constant or atomic.
final class Fork: @unchecked Sendable {
  /// Has a container adopt the registration in a slot of its base, if it sees that.
  typealias Adopt = @Sendable (SlotReference, ContainerCore) -> SlotReference?

  let adopt: Adopt
  private let lastVisible = Atomic<UInt64>(.max)
  private var hidden: Set<SlotReference> = []
  private let hiding = Atomic<Bool>(false)
  private let detached = Atomic<Bool>(false)

  init(adopt: @escaping Adopt) {
    self.adopt = adopt
  }

  /// The number of the last registration that it sees.
  var lastSerial: UInt64 { lastVisible.load(ordering: .acquiring) }

  /// Hides registrations with a higher number than `serial`, which is the current one.
  ///
  /// Called once, when writers know of the fork: one that has not known of it has numbered its registration before.
  func begin(after serial: UInt64) { lastVisible.store(serial, ordering: .releasing) }

  /// Whether all registrations of the base are hidden.
  var hidesAll: Bool { hiding.load(ordering: .acquiring) }

  func hideAllAssumingWriterLockHeld() { hiding.store(true, ordering: .releasing) }

  /// Whether a key that is missing in the fork is missing for good: the base need not be asked.
  var isDetached: Bool { detached.load(ordering: .acquiring) }

  /// Called when all registrations have been adopted, and the base implies none.
  func detach() { detached.store(true, ordering: .releasing) }

  func hideAssumingWriterLockHeld(_ slot: SlotReference) { hidden.insert(slot) }

  func isHiddenAssumingWriterLockHeld(_ slot: SlotReference) -> Bool {
    hidesAll || hidden.contains(slot)
  }
}

/// The forks of one container and its descendants, which are told of changes.
@safe
// SAFETY: only touched with the writer lock of the container held.
final class ForkList: @unchecked Sendable {
  private var forks: [ObjectIdentifier: Member] = [:]

  func addAssumingWriterLockHeld(_ fork: ContainerCore) {
    forks[ObjectIdentifier(fork)] = Member(fork)
  }

  func removeAssumingWriterLockHeld(_ fork: ObjectIdentifier) {
    forks[fork] = nil
  }

  /// Those that are in use.
  var membersAssumingWriterLockHeld: [ContainerCore] {
    forks.values.compactMap { $0.fork.object as? ContainerCore }
  }

  /// In an object of its own: a dictionary would lose count of the unowned reference inside (Swift 6.3.1).
  private final class Member {
    let fork: UncountedReference

    init(_ fork: ContainerCore) {
      self.fork = UncountedReference(fork)
    }
  }
}

extension ContainerCore {
  /// The containers in which a key is looked up: this one, its ancestors or its base, and so on.
  var searched: some Sequence<ContainerCore> {
    sequence(first: self) { $0.parent ?? $0.base }
  }

  /// The first closed one of the containers in which a missing key would be looked up. A fork that is detached, or from
  /// which the key was removed, does not ask its base.
  @inline(never)
  func firstClosed(lookingFor key: RegistrationKey) -> ContainerCore? {
    sequence(first: self) { core in
      core.parent ?? (core.hides(key) ? nil : core.base)
    }.first(where: \.isClosed)
  }

  private func hides(_ key: RegistrationKey) -> Bool {
    guard let fork else { return false }
    if fork.hidesAll { return true }
    guard let slot = table.find(key) else { return false }
    return table.withWriterLock { fork.isHiddenAssumingWriterLockHeld(slot) }
  }

  /// The forks that must be told of changes of this container's registrations. Retained: they are let go of with no
  /// lock held.
  var forksInUse: [ContainerCore] {
    guard let list = extrasIfMade?.forks else { return [] }
    return table.withWriterLock { list.membersAssumingWriterLockHeld }
  }

  /// Begins to tell a fork of this container of changes.
  func add(_ fork: ContainerCore) {
    for core in selfAndAncestors {
      let list = core.extras.forks
      core.table.withWriterLock { list.addAssumingWriterLockHeld(fork) }
    }
  }

  /// Ends what ``add(_:)`` began, in the deinit of the fork.
  func removeFork(_ fork: ObjectIdentifier) {
    for core in selfAndAncestors {
      guard let list = core.extrasIfMade?.forks else { continue }
      core.table.withWriterLock { list.removeAssumingWriterLockHeld(fork) }
    }
  }
}
