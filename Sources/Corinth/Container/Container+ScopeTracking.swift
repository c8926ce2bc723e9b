// SPDX-License-Identifier: MIT

extension Container {
  /// Whether the request scopes made from this container, nested scopes included, are tracked.
  ///
  /// ```swift
  /// container.tracksScopes = true
  /// for scope in container.statistics.openScopesByAge.prefix(10) {
  ///   print(scope.location, scope.age)
  /// }
  /// ```
  ///
  /// ``ContainerStatistics/openScopesByAge`` lists the open scopes, with the age and the making
  /// call of each, and ``OpenScope/close(workLimit:timeLimit:totalTimeLimit:)`` closes a listed
  /// scope. ``onOutlivedScope`` reports instances that outlive their scope. A scope is tracked if
  /// the switch was on when the scope was made. Children and forks have a switch of their own; the
  /// versions of a ``ReloadableContainer`` follow the container's switch. While the switch is off,
  /// the default, nothing is noted, and scopes cost no more than without the feature.
  ///
  /// While the switch is on, every scope takes some tens of microseconds and some kilobytes more,
  /// and the next scope reuses no memory of a former scope. Every instance of a class that a scope
  /// has at the end takes a weak reference for ``onOutlivedScope``.
  ///
  /// While tracking is on, takes a lock of the process for a moment when a scope is made and when a
  /// scope ends.
  public var tracksScopes: Bool {
    get { registry.tracksScopes }
    set { registry.tracksScopes = newValue }
  }

  /// Called for every scope whose `.scoped` instances of classes are still present five seconds
  /// after the scope has closed; a single handler for the process.
  ///
  /// ```swift
  /// Container.onOutlivedScope = { report in logger.warning("\(report)") }
  /// ```
  ///
  /// The cause is ``UndisposedReport/Cause/scopeOutlived(madeAt:)``. An instance outlives its scope
  /// if a longer-lived place holds the instance: a global, a cache, a task. A factory that hands
  /// out an object of another owner, instead of making an object, is reported for the same reason:
  /// register the object in the owner's scope. Only scopes of containers with ``tracksScopes`` are
  /// examined, and only the instances held at the time of closing. A scope dropped without being
  /// closed is not examined. Until the examination the instance is referred to weakly.
  ///
  /// In debug builds of this package, reports are printed to the standard error stream as long as
  /// no handler is set. In release builds reports are discarded. Set `nil` to ignore reports.
  ///
  /// The handler is called in a task of its own, with no lock held.
  ///
  /// Takes a lock of the process for a moment, also for every report.
  public static var onOutlivedScope: (@Sendable (UndisposedReport) -> Void)? {
    get { OutlivingInstances.handler.value }
    set { OutlivingInstances.handler.value = newValue }
  }
}
