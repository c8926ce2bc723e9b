// SPDX-License-Identifier: MIT

internal import Synchronization

/// Rarely used state, allocated on first use to keep request scopes small.
@safe
// SAFETY: variables are only touched with the container's writer lock held; the rest is Sendable.
final class ContainerExtras: @unchecked Sendable {
  /// The versions of registrations visible to forks of the container and of the descendants.
  let liveVersions = LiveVersions()
  /// The slots by type, for collections.
  let typeSlots = TypeSlots()
  /// The modifiers refused while the container was frozen.
  let refusedModifiers = ReplaceableReference<RefusedModifiers>()
  /// For a root: whether the tree tracks requesters.
  let requesters = RequesterTracking()
  /// The runs of assemblies that registered here, in order.
  let assemblyRuns = ReplaceableReference<Shared<[AssemblyRun]>>()
  /// The tracking of the scopes made from the container, once it was ever turned on.
  let scopeTracking = MadeOnce<ScopeTracking>()
  /// For a tracked scope: its entry in the tracking.
  let trackedScope = MadeOnce<TrackedScope>()
  /// The slots of keys with a reported duplicate.
  var reportedDuplicates: Set<SlotReference> = []
  /// The slots of which a registration with instances was replaced or removed.
  var replacedSlots: Set<SlotReference> = []
  /// The overrides that may be undone, with the replaced registrations.
  var overrides: [Overriding] = []

  /// Whether a scope stands in for missing scopes of all names, so that all can be built inside.
  var standsForAllNames = false

  /// The dependencies resolved by the container's factories, once ever recorded.
  let recorded = MadeOnce<RecordedDependencies>()
  /// The versions of a reloadable container.
  let versions = MadeOnce<ContainerVersions>()
  /// The container of which this container is a version.
  let baseOfLayer = MadeOnce<ContainerCore>()
  /// For a version: its unique number in the process. 0 for all other containers.
  let versionNumber = Atomic<UInt64>(0)
  /// Data that a different product of the package keeps with the container.
  let note = ReplaceableReference<ContainerNote>()
  /// Owns the cells of the container's graph instances in resolutions of other containers.
  let ownerOfGraphCells = MadeOnce<GraphCells.Owner>()
}

/// Data of a different product, of any type.
typealias ContainerNote = Shared<any Sendable>

/// An override that may be undone.
///
/// Invariant: the overrides of a key that were not undone form a stack. The top is the registration
/// in the slot, until the key is registered anew. Every override keeps the registration below it.
/// Undone in the middle, an override hands the registration kept to the override above.
@safe
// SAFETY: the variables are only touched with the writer lock of the container held.
final class Overriding: @unchecked Sendable {
  let key: RegistrationKey
  /// The number of the overriding registration, preserved by modifiers.
  let serial: UInt64
  /// The registration below; `nil` once the override was undone, or made permanent.
  var former: RegistrationRecord?

  init(_ key: RegistrationKey, serial: UInt64) {
    self.key = key
    self.serial = serial
  }
}

/// The modifiers refused by a frozen container, by the serial number of the registration.
typealias RefusedModifiers = Shared<[UInt64: [String]]>

extension ReplaceableReference<RefusedModifiers> {
  /// Notes a modifier, once for every registration. No lock is held.
  func note(_ modifier: StaticString, of serial: UInt64) {
    change(serial) { names in names.filter { $0 != "\(modifier)" } + ["\(modifier)"] }
  }

  /// Forgets a modifier that was accepted on a later call. No lock is held.
  func forget(_ modifier: StaticString, of serial: UInt64) {
    if isNil { return }
    change(serial) { names in names.filter { $0 != "\(modifier)" } }
  }

  private func change(_ serial: UInt64, _ change: ([String]) -> [String]) {
    update { former in
      var modifiers = former?.value ?? [:]
      let changed = change(modifiers[serial] ?? [])
      modifiers[serial] = changed.isEmpty ? nil : changed
      return Shared(modifiers)
    }
  }
}

/// The keys a container serves without registrations. Made when a key is first served.
// SAFETY: the only subclass has constant, Sendable properties.
class ImplicitSlots: @unchecked Sendable {
  /// A slot that serves the key, whose name outlives the call; `nil` for none.
  ///
  /// - Parameter container: the container that was asked.
  func slotServing(_ key: KeyWords, for container: ContainerCore) -> SlotReference? {
    preconditionFailure("ImplicitSlots.slotServing: must be overridden")
  }
}
