// SPDX-License-Identifier: MIT

/// The undisposed instances of a container, for the products that test applications.
extension Container {
  /// The instances that would be reported if the container was dropped now; none once the container
  /// is being closed.
  package var undisposedInstances: [DroppedInstance] { registry.undisposedInstances }

  /// The number of open request scopes below the container, at any depth.
  package var openScopeCount: Int { registry.openScopeCount }

  /// Calls `observe` with the instances that this container, and containers below, drop undisposed.
  /// The observer also covers forks that are made before ``removeDropObserver(_:)``.
  ///
  /// - Parameters:
  ///   - token: the argument for ``removeDropObserver(_:)``.
  ///   - observe: called on the thread that has dropped the instances, with no lock held.
  package func addDropObserver(
    _ token: some AnyObject & Sendable, _ observe: @escaping @Sendable (DropReport) -> Void
  ) {
    registry.add(Observer(behavior: token, token: token, didDrop: observe))
  }

  /// Removes an observer that ``addDropObserver(_:_:)`` added. Forks that were made meanwhile still
  /// call the observer.
  package func removeDropObserver(_ token: AnyObject) {
    registry.removeObservers(of: token)
  }
}
