// SPDX-License-Identifier: MIT

internal import Synchronization

/// The open scopes that were made from one container, and within these, while it tracked them.
///
/// The mutex of the wait-for graph guards what changes, as it is free at each fork of the process.
@safe
// SAFETY: the variables are only touched with that mutex held; all else is Sendable.
final class ScopeTracking: @unchecked Sendable {
  struct Entry: Sendable {
    let number: UInt64
    let scope: TrackedScope
    let beginning: ContinuousClock.Instant
    /// The number of forks of the process before.
    let generation: UInt32
    /// The version of a reloadable container that it was made of; `nil` for none. The scope holds it.
    let version: ObjectIdentifier?

    /// Whether it is none of the process that this one was forked from.
    fileprivate var isHere: Bool { generation == ForkHandlers.generation }
  }

  private let state = Atomic<Bool>(false)
  private var entries: [UInt64: Entry] = [:]
  private var lastNumber: UInt64 = 0
  private var isEnding = false

  /// Whether new scopes are tracked.
  var isOn: Bool {
    get { state.load(ordering: .relaxed) }
    set { state.store(newValue, ordering: .relaxed) }
  }

  /// Lists a new scope, and numbers it.
  ///
  /// - Parameter version: the version of a reloadable container that the scope was made of, or within.
  /// - Returns: `false` if others have taken over the end of all open scopes, or of one around it: it is to be refused.
  func begin(_ scope: TrackedScope, of version: ContainerCore?) -> Bool {
    WaitsMutex.withLock {
      if isEnding || scope.isWithin(where: { $0.work.isTakenOver }) { return false }
      lastNumber += 1
      scope.number = lastNumber
      // Read with the mutex held: the numbers are in the order of time.
      entries[lastNumber] = Entry(
        number: lastNumber, scope: scope, beginning: .now, generation: ForkHandlers.generation,
        version: version.map { ObjectIdentifier($0) })
      return true
    }
  }

  /// Takes over the ends of scopes, but for those whose work has ended. No scopes are opened within these any more.
  ///
  /// - Parameters:
  ///   - areAll: whether no further scope is to be opened at all.
  ///   - isIncluded: called with the mutex held.
  /// - Returns: the scopes, the oldest first, and whether each one was taken over.
  func takeOver(
    areAll: Bool, where isIncluded: (Entry) -> Bool
  ) -> [(scope: TrackedScope, isTakenOver: Bool)] {
    let found = WaitsMutex.withLock {
      if areAll { isEnding = true }
      return entries.values.filter { $0.isHere && isIncluded($0) }
        .map { (scope: $0.scope, isTakenOver: $0.scope.takeOverAssumingWaitsLockHeld()) }
    }
    return found.sorted { $0.scope.number < $1.scope.number }
  }

  /// Lists a scope no more.
  fileprivate func end(_ number: UInt64) {
    let entry = WaitsMutex.withLock { entries.removeValue(forKey: number) }
    // Destroyed with the mutex given up.
    withExtendedLifetime(entry) {}
  }

  /// The open ones, the oldest first. Those of the process that this one was forked from are not here.
  var openScopes: [Entry] {
    let found = WaitsMutex.withLock { entries }
    return found.values.filter(\.isHere).sorted { $0.number < $1.number }
  }
}

/// One scope that is tracked.
@safe
// SAFETY: the variables are only touched with the mutex of the wait-for graph held; all else is Sendable.
final class TrackedScope: @unchecked Sendable {
  let tracking: ScopeTracking
  let location: SourceLocation
  /// That in which the ancestors counted the scope.
  let countGeneration: UInt32
  /// Set once, as it is listed.
  fileprivate(set) var number: UInt64 = 0
  /// The nearest scope around it that is tracked.
  let outer: TrackedScope?
  /// The type of containers, for reports.
  let typeOfOwner: any Any.Type
  private weak let owner: (any AnyObject & Sendable)?
  private unowned(unsafe) let core: ContainerCore
  /// The work in the scope, for `ScopeWork.swift`.
  var work = ScopeWork()
  private let isSearched = Atomic<Bool>(false)
  private var instances: [OutlivingInstance] = []

  /// - Parameter owner: the container that `core` is the core of.
  init(
    _ core: ContainerCore, of owner: any AnyObject & Sendable, in tracking: ScopeTracking,
    at location: SourceLocation, countGeneration: UInt32
  ) {
    unsafe self.core = core
    outer = core.parent?.firstOfSelfAndAncestors(\.trackedScope)
    self.owner = owner
    typeOfOwner = type(of: owner)
    self.tracking = tracking
    self.location = location
    self.countGeneration = countGeneration
  }

  /// The core, with the container that it belongs to, for a caller that is to close that; `nil` once the container is
  /// deallocated. A reference to the core alone would be one that the deinit of the container does not know of.
  var held: (core: ContainerCore, owner: any AnyObject & Sendable)? {
    // SAFETY: the owner has a reference to its core.
    owner.map { unsafe (core: core, owner: $0) }
  }

  /// Whether this scope, or one around it, fits.
  func isWithin(where isIncluded: (TrackedScope) -> Bool) -> Bool {
    sequence(first: self, next: \.outer).contains(where: isIncluded)
  }

  /// Whether the caller is the one that searches it for instances.
  func claimSearch() -> Bool { !isSearched.exchange(true, ordering: .relaxed) }

  /// Keeps what may outlive the scope, until its end.
  func expect(_ found: [OutlivingInstance]) {
    WaitsMutex.withLock { instances = found }
  }

  /// Ends the tracking of the scope, which has let its instances go.
  func end() {
    tracking.end(number)
    noteEnd()
    let found = WaitsMutex.withLock {
      defer { instances = [] }
      return instances
    }
    OutlivingInstances.watch(found, ofScopeAt: location)
  }
}

extension TrackedScope: Hashable {
  static func == (one: TrackedScope, other: TrackedScope) -> Bool { one === other }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ContainerCore {
  /// This scope as one that is tracked; `nil` if it is not.
  var trackedScope: TrackedScope? { extrasIfMade?.trackedScope.load() }

  /// The open scopes that were made from this container, and within these, and are tracked.
  var ownOpenScopes: [ScopeTracking.Entry] {
    guard let (tracking, version) = ownTracking else { return [] }
    return tracking.openScopes.filter { version == nil || $0.version == version }
  }

  /// The list of these; and the version of whose scopes these are, if the list is that of all versions of a container.
  var ownTracking: (tracking: ScopeTracking, version: ObjectIdentifier?)? {
    guard let extras = extrasIfMade else { return nil }
    if let tracking = extras.scopeTracking.load() { return (tracking, nil) }
    let ofBase = extras.baseOfLayer.load()?.extrasIfMade?.scopeTracking.load()
    return ofBase.map { ($0, ObjectIdentifier(self)) }
  }

  /// The layer that this one is, or is below.
  var layer: ContainerCore? {
    firstOfSelfAndAncestors { $0.baseOfLayer == nil ? nil : $0 }
  }

  /// What this container tracks its scopes with, if it ever did; of a tracked scope, what those within it are tracked with;
  /// of a version of a container, what that tracks its own with.
  var scopeTrackingIfMade: ScopeTracking? {
    guard let extras = extrasIfMade else { return nil }
    return extras.scopeTracking.load() ?? extras.trackedScope.load()?.tracking
      ?? extras.baseOfLayer.load()?.scopeTrackingIfMade
  }
}
