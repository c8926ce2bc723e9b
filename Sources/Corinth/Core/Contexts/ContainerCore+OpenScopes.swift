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
