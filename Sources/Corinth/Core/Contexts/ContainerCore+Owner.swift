// SPDX-License-Identifier: MIT

/// A container's core and its owner, the container.
///
/// A scope keeps the container alive that made the scope. To count a reference to a container that
/// is no scope would write to memory shared by all threads: a *hold* is counted per thread instead.
///
/// Invariants
///  1. Holds begin while somebody refers to the owner: none begins in or after the owner's deinit.
///  2. The owner's deinit, or an earlier reader, closes the counter, once. If holds exist, a
///     *successor* is then made, a container with the same core. All holds share one reference to
///     it, released with the last. Its scopes count references, and its deinit is an ordinary one.
///  3. The owner or the successor ends the core: one caller is told that no holds are left.
extension ContainerCore {
  /// Has a scope hold the owner. The caller has a reference to the owner.
  ///
  /// - Returns: `false` if the scope must count a reference: the owner is a scope, with few scopes;
  ///   a successor; or has weak or unowned references, which would not lead to a successor.
  @inline(__always)
  func hold(_ owner: AnyObject) -> Bool {
    !isScope && !OwnerReference.isObserved(owner) && openScopes.ofContainer.hold()
  }

  /// The owner. `nil` after the owner's deallocation.
  ///
  /// - Parameter makeSuccessor: makes the successor of an owner.
  func owner(or makeSuccessor: (AnyObject) -> AnyObject) -> AnyObject? {
    unsafe ownerReference.object { unsafe successor(of: $0, makeSuccessor) }
  }

  /// Whether the owner exists, or scopes of the owner live on.
  var hasOwner: Bool {
    unsafe ownerReference.object { _ in openScopes.ofContainer.close() ? self : nil } != nil
  }

  @inline(never)
  fileprivate func handOverWhatMayBeHeld(
    from owner: Unmanaged<AnyObject>, to makeSuccessor: (AnyObject) -> AnyObject
  ) -> Bool {
    let (isOwner, made) = WaitsMutex.withLock {
      // A reader may have been first.
      let isOwner = unsafe ownerReference.unretained?.toOpaque() == owner.toOpaque()
      return (isOwner, isOwner ? unsafe successor(of: owner, makeSuccessor) : nil)
    }
    // Released after the mutex: the reference may be the last.
    withExtendedLifetime(made) {}
    return !isOwner || made != nil
  }

  /// The mutex of the wait-for graph is held.
  private func successor(
    of owner: Unmanaged<AnyObject>, _ makeSuccessor: (AnyObject) -> AnyObject
  ) -> AnyObject? {
    guard openScopes.ofContainer.close() else { return nil }
    // SAFETY: the deinit of the owner waits for the mutex.
    let successor = unsafe owner._withUnsafeGuaranteedRef(makeSuccessor)
    unsafe _ = Unmanaged.passRetained(successor)
    ownerReference.store(successor)
    // All holds may have ended meanwhile. The caller has a reference.
    if openScopes.ofContainer.endClosing() { unsafe Unmanaged.passUnretained(successor).release() }
    return successor
  }
}

/// The core of a container in its deinit, at +0, as spares are found by their number of references.
// SAFETY: the container has a reference until the end of its deinit.
extension Unmanaged<ContainerCore> {
  @inline(__always)
  var parent: Unmanaged<ContainerCore>? {
    unsafe _withUnsafeGuaranteedRef { unsafe $0.parentLink.unretained }
  }

  /// Makes a successor if there are holds.
  ///
  /// - Returns: whether a successor exists; if so, the core must not be ended.
  @inline(__always)
  func handOver(
    from owner: Unmanaged<AnyObject>, to makeSuccessor: (AnyObject) -> AnyObject
  ) -> Bool {
    unsafe _withUnsafeGuaranteedRef {
      unsafe $0.openScopes.ofContainer.mayBeHeld
        && $0.handOverWhatMayBeHeld(from: owner, to: makeSuccessor)
    }
  }

  /// Ends a hold. The core may be gone afterwards.
  ///
  /// - Returns: if this was the last hold, a reference to the successor, for the caller to release.
  @inline(__always)
  func letGo() -> Unmanaged<AnyObject>? {
    unsafe _withUnsafeGuaranteedRef {
      unsafe $0.openScopes.ofContainer.letGo() ? $0.ownerReference.unretained : nil
    }
  }
}
