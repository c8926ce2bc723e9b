// SPDX-License-Identifier: MIT

internal import Synchronization

/// The part of a container that its instances may hold: slots, parent, `.scoped` instances, the closed flag.
///
/// Providers, resolvers and errors hold the core alone: an instance that stores one of them does not keep the
/// container alive.
@usableFromInline
// SAFETY: all but the owner is constant, Sendable or atomic; for the owner see there.
final class ContainerCore: @unchecked Sendable {
  /// The registrations by their keys. Stored in place, so that a hit finds its pointer with one load.
  @usableFromInline let table: SlotTable

  /// The container whose registrations this one's shadow.
  var parent: ContainerCore? { parentLink.object }
  /// Read without the reference, which would be counted.
  var hasParent: Bool { !parentLink.isNil }
  let parentLink: ChainLink<ContainerCore>
  /// Whether `.scoped` instances are stored here.
  let isScope: Bool
  /// The context in the middle of which this scope was opened. It may use the scope's instances, and does not
  /// outlive the scope with them.
  let openedDuring: ResolutionContext?
  /// The `.scoped` instances.
  let instances = InstanceStore()
  let closingState = ClosingState()

  // SAFETY: written once, before the container is returned from its initialiser.
  @exclusivity(unchecked) nonisolated(unsafe) private var ownerReference = UncountedReference()

  /// - Parameters:
  ///   - fingerprintBits: fewer than 64 make keys collide, for tests.
  ///   - parent: the container where missing keys are looked up.
  ///   - isScope: whether `.scoped` instances are stored here.
  init(fingerprintBits: UInt32, parent: ContainerCore?, isScope: Bool) {
    if let parent {
      table = SlotTable(childOf: parent.table, fingerprintBits: fingerprintBits)
    } else {
      table = SlotTable(fingerprintBits: fingerprintBits)
    }
    parentLink = ChainLink(parent)
    self.isScope = isScope
    openedDuring = isScope ? ResolutionContext.current : nil
  }

  deinit {
    parentLink.release(asPartOf: self)
  }

  /// The container that this is the core of, `nil` once that is deallocated. Set by the container's initialiser.
  var owner: AnyObject? {
    get { unsafe ownerReference.object }
    set { unsafe ownerReference = UncountedReference(newValue) }
  }

  /// Whether the container resolves nothing any more.
  var isClosed: Bool { !closingState.isOpen }

  /// Whether a missing key is final: the container is open, and has no parent to search.
  @usableFromInline var isRootAndOpen: Bool { !hasParent && !isClosed }

  /// Keeps registrations and resolves out from now on.
  ///
  /// - Returns: `false` when a closing has come to its end.
  @discardableResult
  func seal() -> Bool {
    let isUnfinished = closingState.seal()
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    table.stopSharing()
    return isUnfinished
  }
}
