// SPDX-License-Identifier: MIT

internal import Synchronization

/// The open scopes made from one container, and scopes within, during tracking.
///
/// Guarded by the mutex of the wait-for graph, which is free at every fork of the process.
@safe
// SAFETY: the variables are only touched with the mutex held; all else is Sendable.
final class ScopeTracking: @unchecked Sendable {
  struct Entry: Sendable {
    let number: UInt64
    let scope: TrackedScope
    let beginning: ContinuousClock.Instant
    /// The number of forks of the process before.
    let generation: UInt32
    /// The version of a reloadable container around the scope, held by the scope; `nil` for none.
    let version: ObjectIdentifier?

    /// Whether the scope belongs to this process, and not to the one it was forked from.
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
  /// - Parameter version: the version of a reloadable container at or around the scope's parent.
  /// - Returns: `false` to refuse the scope, as the end of all or of an outer scope is taken over.
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

  /// Takes over the ends of scopes, except where the work has ended. No further scopes open within.
  ///
  /// - Parameters:
  ///   - areAll: whether no further scope is to be opened at all.
  ///   - isIncluded: called with the mutex held.
  /// - Returns: the scopes, the oldest first, and whether each was taken over.
  func takeOver(
    areAll: Bool, where isIncluded: (Entry) -> Bool
  ) -> [(scope: TrackedScope, isTakenOver: Bool)] {
    let found = WaitsMutex.withLock {
      if areAll { isEnding = true }
      return entries.values.filter { $0.isHere && isIncluded($0) }
        .map { (scope: $0.scope, isTakenOver: $0.scope.takeOverAssumingWaitsLockHeld()) }
    }
    return found.ordered(by: \.scope.number)
  }

  /// Lists a scope no more.
  fileprivate func end(_ number: UInt64) {
    let entry = WaitsMutex.withLock { entries.removeValue(forKey: number) }
    // Destroyed with the mutex given up.
    withExtendedLifetime(entry) {}
  }

  /// The open scopes, the oldest first, without scopes of the process before a fork.
  var openScopes: [Entry] {
    let found = WaitsMutex.withLock { entries }
    return found.values.filter(\.isHere).ordered(by: \.number)
  }
}

/// A scope during tracking.
@safe
// SAFETY: variables are only touched with the wait-for graph's mutex held; the rest is Sendable.
final class TrackedScope: @unchecked Sendable {
  let tracking: ScopeTracking
  let location: SourceLocation
  /// The fork generation in which the ancestors counted the scope.
  let countGeneration: UInt32
  /// Set once, on listing.
  fileprivate(set) var number: UInt64 = 0
  /// The nearest tracked scope around the scope.
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

  /// The core and its container, for a caller about to close the container; `nil` after the
  /// container's deallocation, whose deinit would not know of a reference to the core alone.
  var held: (core: ContainerCore, owner: any AnyObject & Sendable)? {
    // SAFETY: the owner has a reference to its core.
    owner.map { unsafe (core: core, owner: $0) }
  }

  /// Whether the scope, or a scope around it, fits.
  func isWithin(where isIncluded: (TrackedScope) -> Bool) -> Bool {
    sequence(first: self, next: \.outer).contains(where: isIncluded)
  }

  /// Whether the caller, as the first, is to search the scope for instances.
  func claimSearch() -> Bool { !isSearched.exchange(true, ordering: .relaxed) }

  /// Keeps the instances that may outlive the scope, until the end.
  func expect(_ found: [OutlivingInstance]) {
    WaitsMutex.withLock { instances = found }
  }

  /// Ends the tracking of a scope that has released the instances.
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
