// SPDX-License-Identifier: MIT

/// The instances that a container has not disposed of, for the products that test applications.
extension Container {
  /// The instances that would be reported if the container was dropped now; none once it is being closed.
  package var undisposedInstances: [DroppedInstance] { registry.undisposedInstances }

  /// The number of request scopes below the container, at any depth, that are open.
  package var openScopeCount: Int { registry.openScopeCount }

  /// Calls `observe` with what this container, and what is below it, lets go of undisposed. The same goes for forks that are
  /// made before ``removeDropObserver(_:)``.
  ///
  /// - Parameters:
  ///   - token: what ``removeDropObserver(_:)`` is called with.
  ///   - observe: called on the thread that has dropped the instances, with no lock held.
  package func addDropObserver(
    _ token: some AnyObject & Sendable, _ observe: @escaping @Sendable (DropReport) -> Void
  ) {
    registry.add(Observer(behavior: token, didDrop: observe))
  }

  /// Ends what ``addDropObserver(_:_:)`` began. Forks that were made meanwhile go on to call the observer.
  package func removeDropObserver(_ token: AnyObject) {
    registry.removeObservers(of: token)
  }
}
