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
    let location: SourceLocation
    let beginning: ContinuousClock.Instant
    /// The number of forks of the process before.
    let generation: UInt32
    /// The version of a reloadable container that it was made of; `nil` for none. The scope holds it.
    let version: ObjectIdentifier?
  }

  private let state = Atomic<Bool>(false)
  private var entries: [UInt64: Entry] = [:]
  private var lastNumber: UInt64 = 0

  /// Whether new scopes are tracked.
  var isOn: Bool {
    get { state.load(ordering: .relaxed) }
    set { state.store(newValue, ordering: .relaxed) }
  }

  /// Lists a new scope.
  ///
  /// - Returns: its number.
  func begin(at location: SourceLocation, of version: ContainerCore?) -> UInt64 {
    WaitsMutex.withLock {
      lastNumber += 1
      // Read with the mutex held: the numbers are in the order of time.
      entries[lastNumber] = Entry(
        number: lastNumber, location: location, beginning: .now,
        generation: ForkHandlers.generation, version: version.map { ObjectIdentifier($0) })
      return lastNumber
    }
  }

  /// Lists a scope no more.
  func end(_ number: UInt64) {
    WaitsMutex.withLock { entries[number] = nil }
  }

  /// The open ones, the oldest first. Those of the process that this one was forked from are not here.
  var openScopes: [Entry] {
    let found = WaitsMutex.withLock { entries }
    return found.values.filter { $0.generation == ForkHandlers.generation }
      .sorted { $0.number < $1.number }
  }
}

/// One scope that is tracked.
@safe
// SAFETY: the variable is only touched with the mutex of the wait-for graph held; all else is Sendable.
final class TrackedScope: @unchecked Sendable {
  let tracking: ScopeTracking
  let number: UInt64
  let location: SourceLocation
  /// That in which the ancestors counted the scope.
  let countGeneration: UInt32
  private let isSearched = Atomic<Bool>(false)
  private var instances: [OutlivingInstance] = []

  /// - Parameter version: the version of a reloadable container that the scope was made of, or within.
  init(
    in tracking: ScopeTracking, at location: SourceLocation, of version: ContainerCore?,
    countGeneration: UInt32
  ) {
    self.tracking = tracking
    self.location = location
    self.countGeneration = countGeneration
    number = tracking.begin(at: location, of: version)
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
    let found = WaitsMutex.withLock {
      defer { instances = [] }
      return instances
    }
    OutlivingInstances.watch(found, ofScopeAt: location)
  }
}

extension ContainerCore {
  /// The open scopes that were made from this container, and within these, and are tracked. What a container tracks those of
  /// its versions with lists them for all.
  var ownOpenScopes: [ScopeTracking.Entry] {
    guard let extras = extrasIfMade else { return [] }
    if let tracking = extras.scopeTracking.load() { return tracking.openScopes }
    let ofBase = extras.baseOfLayer.load()?.extrasIfMade?.scopeTracking.load()
    return ofBase?.openScopes.filter { $0.version == ObjectIdentifier(self) } ?? []
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
