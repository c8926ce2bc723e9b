// SPDX-License-Identifier: MIT

internal import Synchronization

/// Rarely used state, allocated on first use to keep request scopes small.
@safe
// SAFETY: the variables are only touched with the writer lock of the container held; all else is Sendable.
final class ContainerExtras: @unchecked Sendable {
  /// The versions of its registrations that forks of the container and of its descendants see.
  let liveVersions = LiveVersions()
  /// The slots by type, for collections.
  let typeSlots = TypeSlots()
  /// The slots whose keys resemble missing ones, for errors.
  let similarSlots = SimilarSlots()
  /// The modifiers that came when the container was frozen.
  let refusedModifiers = ReplaceableReference<RefusedModifiers>()
  /// Of a root: whether its tree tracks who asks.
  let requesters = RequesterTracking()
  /// The runs of the assemblies that have registered here, in their order.
  let assemblyRuns = ReplaceableReference<Shared<[AssemblyRun]>>()
  /// The scopes that are made from it, if they were ever to be tracked.
  let scopeTracking = MadeOnce<ScopeTracking>()
  /// Of a scope: what it is tracked as, if it is.
  let trackedScope = MadeOnce<TrackedScope>()
  /// The slots of the keys whose duplicates have been reported.
  var reportedDuplicates: Set<SlotReference> = []
  /// The overrides that may be undone, with the registrations that they have replaced.
  var overrides: [Overriding] = []

  /// Whether a scope stands for those of all names that are not around it, to build everything in.
  var standsForAllNames = false

  /// The dependencies that the container's factories have resolved, if they were ever recorded.
  let recorded = MadeOnce<RecordedDependencies>()
  /// The versions of a container that is reloaded.
  let versions = MadeOnce<ContainerVersions>()
  /// The container that this one is a version of.
  let baseOfLayer = MadeOnce<ContainerCore>()
  /// Of a version: a number of its own in the process. 0 for all other containers.
  let versionNumber = Atomic<UInt64>(0)
  /// What another product of the package keeps with the container.
  let note = ReplaceableReference<ContainerNote>()
}

/// What another product keeps, of whatever type.
typealias ContainerNote = Shared<any Sendable>

/// One override that may be undone.
///
/// Invariant: the overrides of one key that have not been undone form a stack. The one on top is what the slot holds, until
/// the key is registered in another way. Each one keeps the registration below it. One in the middle that is
/// undone hands that on to the one above it.
@safe
// SAFETY: the variables are only touched with the writer lock of the container held.
final class Overriding: @unchecked Sendable {
  let key: RegistrationKey
  /// The number of the overriding registration; modifiers keep it.
  let serial: UInt64
  /// The registration below.
  var former: (any AnyObject & Sendable)?
  /// Whether it has been undone, or made permanent.
  var isOver = false

  init(_ key: RegistrationKey, serial: UInt64) {
    self.key = key
    self.serial = serial
  }
}

/// The modifiers that came when their container was frozen, by the numbers of their registrations.
typealias RefusedModifiers = Shared<[UInt64: [String]]>

extension ReplaceableReference<RefusedModifiers> {
  /// Notes a modifier, once for each registration. No lock is held.
  func note(_ modifier: StaticString, of serial: UInt64) {
    change(serial) { names in names.filter { $0 != "\(modifier)" } + ["\(modifier)"] }
  }

  /// Forgets a modifier that has come again, and was not refused. No lock is held.
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
