// SPDX-License-Identifier: MIT

/// A container's core and its owner, the container.
///
/// A scope keeps the container that it was made from alive. Of a container that is no scope itself, it counts no reference,
/// which would be a write to memory that all threads share: it *holds* the container, and is counted where its thread counts.
///
/// Invariants
///  1. A hold begins while somebody has a reference to the owner: none begins in or after the owner's deinit.
///  2. The owner's deinit, or a reader that comes before it, closes the counter, once. If there are holds, it first makes a
///     *successor*: another container that owns the same core. The holds have one reference to it together, which the
///     last of them gives up. What is made from the successor counts references, and its own deinit is an ordinary one.
///  3. Either the owner ends the core, or its successor: the counter has told one caller that there are no holds left.
extension ContainerCore {
  /// Has a scope of the owner, which the caller has a reference to, hold it.
  ///
  /// - Returns: `false` if the scope has to count a reference: the owner is a scope, which few scopes are made from; it is a
  ///   successor; or it has weak or unowned references, which a successor would not be found by.
  @inline(__always)
  func hold(_ owner: AnyObject) -> Bool {
    !isScope && !OwnerReference.isObserved(owner) && openScopes.ofContainer.hold()
  }

  /// The owner. `nil` once that is deallocated.
  ///
  /// - Parameter makeSuccessor: makes the successor of an owner.
  func owner(or makeSuccessor: (AnyObject) -> AnyObject) -> AnyObject? {
    unsafe ownerReference.object { unsafe successor(of: $0, makeSuccessor) }
  }

  /// Whether the owner is there, or its scopes live on.
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
    // Let go of with the mutex given up: it may be the last reference.
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
    // All may have ended meanwhile. The caller has a reference.
    if openScopes.ofContainer.endClosing() { unsafe Unmanaged.passUnretained(successor).release() }
    return successor
  }
}

/// The core of a container whose deinit has begun, at +0: others look for further references.
// SAFETY: the container has a reference until the end of its deinit.
extension Unmanaged<ContainerCore> {
  @inline(__always)
  var parent: Unmanaged<ContainerCore>? {
    unsafe _withUnsafeGuaranteedRef { unsafe $0.parentLink.unretained }
  }

  /// Makes a successor if there are holds.
  ///
  /// - Returns: whether there is one, so that this is not to be ended.
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
  /// - Returns: a reference to the successor, for the caller to give up, if this was the last hold.
  @inline(__always)
  func letGo() -> Unmanaged<AnyObject>? {
    unsafe _withUnsafeGuaranteedRef {
      unsafe $0.openScopes.ofContainer.letGo() ? $0.ownerReference.unretained : nil
    }
  }
}
