// SPDX-License-Identifier: MIT

/// A container and the request scopes below it, at any depth.
extension ContainerCore {
  /// The number of open scopes. Never too few once the container drains.
  var openScopeCount: Int { openScopes.count(isScope: isScope) }

  /// Counts a new scope of this container.
  ///
  /// - Returns: whether the scope may be used. A draining container refuses new scopes, except
  ///   scopes nested in admitted ones.
  /// - Complexity: O(*n*) in the number of ancestors.
  @inline(__always)
  func admitScope() -> Bool {
    // Most scopes belong to a root.
    if hasParent || isScope { return admitScopeBelowAncestors() }
    return openScopes.open(isScope: false) || forgetRefusedScope()
  }

  @inline(never)
  private func forgetRefusedScope() -> Bool {
    forgetScope()
    return false
  }

  @inline(never)
  private func admitScopeBelowAncestors() -> Bool {
    var isAdmitted = true
    var isNested = false
    forEachOfSelfAndAncestors { core in
      let letsIn = core.openScopes.open(isScope: core.isScope)
      if isNested { return }
      if !letsIn || core.isRefused { isAdmitted = false }
      isNested = core.isScope
    }
    return isAdmitted || forgetRefusedScope()
  }

  /// Counts the end of the container, if it is a scope. Called once: by the closer that reaches the
  /// end, or by the deinit of an unclosed container.
  @inline(__always)
  func noteEndOfScope() {
    // The child process of a fork has not counted the parent process's scopes.
    guard countGeneration == ForkHandlers.generation, let parent = unsafe parentLink.unretained
    else { return noteEndOfTrackedScope() }
    unsafe parent._withUnsafeGuaranteedRef { $0.forgetScope() }
  }

  @inline(never)
  private func noteEndOfTrackedScope() {
    guard countGeneration == Self.tracked, let tracked = trackedScope
    else { return }
    tracked.end()
    if tracked.countGeneration == ForkHandlers.generation { parent?.forgetScope() }
  }

  /// Counts the end of a scope of this container.
  @inline(__always)
  private func forgetScope() {
    if hasParent || isScope { return forgetScopeBelowAncestors() }
    if openScopes.close(isScope: false) { Draining.endWaits(for: self) }
  }

  @inline(never)
  private func forgetScopeBelowAncestors() {
    forEachOfSelfAndAncestors { core in
      if core.openScopes.close(isScope: core.isScope) { Draining.endWaits(for: core) }
    }
  }

  // MARK: - Tracking

  /// The tracking's entry for the scope; `nil` for an untracked scope.
  var trackedScope: TrackedScope? { extrasIfMade?.trackedScope.load() }

  /// The open tracked scopes made from the container, and scopes within.
  var ownOpenScopes: [ScopeTracking.Entry] {
    guard let (tracking, version) = ownTracking else { return [] }
    return tracking.openScopes.filter { version == nil || $0.version == version }
  }

  /// The tracking of the scopes made here; with the version, if it is shared by all versions.
  var ownTracking: (tracking: ScopeTracking, version: ObjectIdentifier?)? {
    guard let extras = extrasIfMade else { return nil }
    if let tracking = extras.scopeTracking.load() { return (tracking, nil) }
    let ofBase = extras.baseOfLayer.load()?.extrasIfMade?.scopeTracking.load()
    return ofBase.map { ($0, ObjectIdentifier(self)) }
  }

  /// The tracking for scopes made from the container, if ever turned on: the container's own; of a
  /// tracked scope, the tracking of the scope; of a version, the base's.
  var scopeTrackingIfMade: ScopeTracking? {
    guard let extras = extrasIfMade else { return nil }
    return extras.scopeTracking.load() ?? extras.trackedScope.load()?.tracking
      ?? extras.baseOfLayer.load()?.scopeTrackingIfMade
  }

  /// Where a scope below was made whose work the calling task runs: the task must not wait for the
  /// scope's end. Release builds know tracked scopes only.
  var locationOfScopeRunByCaller: SourceLocation? {
    #if DEBUG
      if let location = RunningScope.locationOfWork(below: self) { return location }
    #endif
    return ownOpenScopes.first { $0.scope.isRunByCaller }?.scope.location
  }

  // MARK: - Inputs

  /// Adds a value, before the scope is visible to a second thread.
  @usableFromInline @inline(never)
  func provide<Input: Sendable>(_ input: consuming Input) { inputs.add(input) }

  /// The types of the inputs visible to a resolve from the container, in the order of passing, the
  /// innermost scope's first.
  var visibleInputTypes: [any Any.Type] {
    searched.flatMap { $0.inputs.types }
  }
}
