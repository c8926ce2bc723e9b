// SPDX-License-Identifier: MIT

/// A container and the request scopes below it, at any depth.
extension ContainerCore {
  /// The number of open scopes. Never too few once the container drains.
  var openScopeCount: Int { openScopes.count(isScope: isScope) }

  /// Counts a new scope of this container.
  ///
  /// - Returns: whether it may be used. A container that drains refuses new scopes, except for those within
  ///   scopes that it has let in.
  /// - Complexity: O(*n*) in the number of ancestors.
  @inline(__always)
  func admitScope() -> Bool {
    // Most scopes are those of a root.
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

  /// Counts the end of this container, if it is a scope. Called once: by the closer that has come to the end, or by
  /// the deinit of a container that nobody has closed.
  @inline(__always)
  func noteEndOfScope() {
    // The child of a fork has not counted a scope of its parent's.
    guard countGeneration == ForkHandlers.generation, let parent = unsafe parentLink.unretained
    else { return noteEndOfTrackedScope() }
    unsafe parent._withUnsafeGuaranteedRef { $0.forgetScope() }
  }

  @inline(never)
  private func noteEndOfTrackedScope() {
    guard countGeneration == Self.tracked, let tracked = extrasIfMade?.trackedScope.load()
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
}
