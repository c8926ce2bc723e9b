// SPDX-License-Identifier: MIT

/// The undisposed instances of a container, for the products that test applications.
extension Container {
  /// The instances that would be reported if the container was dropped now; none once the container
  /// is being closed.
  package var undisposedInstances: [UndisposedInstance] { registry.undisposedInstances }

  /// The number of open request scopes below the container, at any depth.
  package var openScopeCount: Int { registry.openScopeCount }

  /// Calls `observe` with the instances that this container, and containers below, drop undisposed.
  /// The observer also covers forks that are made before ``removeUndisposedObserver(_:)``.
  ///
  /// - Parameters:
  ///   - token: the argument for ``removeUndisposedObserver(_:)``.
  ///   - observe: called on the thread that has dropped the instances, with no lock held.
  package func addUndisposedObserver(
    _ token: some AnyObject & Sendable, _ observe: @escaping @Sendable (UndisposedReport) -> Void
  ) {
    registry.add(Observer(behavior: token, token: token, didLeaveUndisposed: observe))
  }

  /// Removes an observer that ``addUndisposedObserver(_:_:)`` added. Forks that were made meanwhile
  /// still call the observer.
  package func removeUndisposedObserver(_ token: AnyObject) {
    registry.removeObservers(of: token)
  }
}
