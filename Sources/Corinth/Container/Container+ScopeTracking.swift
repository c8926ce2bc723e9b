// SPDX-License-Identifier: MIT

extension Container {
  /// Whether the request scopes that are made from this container, and those within them, are tracked.
  ///
  /// ```swift
  /// container.tracksScopes = true
  /// for scope in container.statistics.openScopesByAge.prefix(10) { print(scope.location, scope.age) }
  /// ```
  ///
  /// ``ContainerStatistics/openScopesByAge`` lists the open ones, with their ages and where they were made, and
  /// ``OpenScope/close(workLimit:timeLimit:totalTimeLimit:)`` closes one of them. ``onOutlivedScope`` is told of instances that
  /// are still there after their scope. All of this concerns scopes that are made from then on. Children and forks have a switch of their own, the versions of a ``ReloadableContainer`` have not. Off, which is the
  /// default, nothing is noted, and scopes cost the same as without it.
  ///
  /// On, each scope takes some tens of microseconds and some kilobytes more, and no memory of a scope is used again by the next
  /// one. Each instance of a class that it has at its end takes a weak reference for ``onOutlivedScope``.
  ///
  /// Takes a lock of the process for a moment when a scope is made and when it ends, while it is on.
  public var tracksScopes: Bool {
    get { registry.tracksScopes }
    set { registry.tracksScopes = newValue }
  }

  /// Called for each scope whose `.scoped` instances of classes are still there five seconds after it has closed; one handler
  /// for the process.
  ///
  /// ```swift
  /// Container.onOutlivedScope = { report in logger.warning("\(report)") }
  /// ```
  ///
  /// The cause is ``DropReport/Cause/scopeOutlived(madeAt:)``. Such an instance is stored in something that lives for longer: a
  /// global, a cache, a task. So is one that a factory has not made but handed out: register what others own in their scope.
  /// A scope that was dropped without being closed is not looked at. Only scopes of containers with
  /// ``tracksScopes`` are looked at, and only what they held when they were closed. Until then the instance is referred to
  /// weakly.
  ///
  /// In debug builds of this package, reports are printed to the standard error stream as long as it is not set. In
  /// release builds they are discarded. Set `nil` to ignore them.
  ///
  /// It is called in a task of its own, with no lock held.
  ///
  /// Takes a lock of the process for a moment, also with each report.
  public static var onOutlivedScope: (@Sendable (DropReport) -> Void)? {
    get { OutlivingInstances.handler.value }
    set { OutlivingInstances.handler.value = newValue }
  }
}
