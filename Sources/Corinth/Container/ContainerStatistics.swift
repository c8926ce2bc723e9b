// SPDX-License-Identifier: MIT

/// The state of a container at a single moment, in numbers: a value.
///
/// ```swift
/// let statistics = container.statistics
/// gauge(label: "scopes").record(statistics.openScopes)
/// ```
///
/// ``MetricsBehavior`` counts events over time: resolves, failures, constructions.
///
/// ## Concurrency
/// A value, safe to use from any thread.
public struct ContainerStatistics: Sendable, Hashable {
  /// The number of registrations of the container itself, as listed by ``Container/registrations``.
  public let registrations: Int
  /// The number of registrations that store an instance, per scope; see
  /// ``ListedRegistration/isBuilt``.
  public let built: [AnyScope: Int]
  /// The number of open request scopes, at any depth.
  public let openScopes: Int
  /// The open tracked request scopes, the oldest first; see ``Container/tracksScopes``.
  public let openScopesByAge: [OpenScope]
  /// The number of untracked scopes among ``openScopes``: scopes made while tracking was off, or
  /// below a child.
  public let untrackedScopes: Int
  /// Whether new request scopes are refused, because the container is being shut down.
  public let isDraining: Bool
  /// Whether the container has been closed.
  public let isClosed: Bool
}

/// An open request scope: the place of the making call, the age, and a way to close the scope from
/// outside.
///
/// ```swift
/// for scope in container.statistics.openScopesByAge.prefix(10) {
///   print(scope.location, scope.age)
/// }
/// ```
///
/// ## Concurrency
/// Safe to use from any thread or task.
public struct OpenScope: Sendable, Hashable {
  /// The source location of the making call: `makeScope`, `withScope` or `syncWithScope`.
  public let location: SourceLocation
  /// The time since the scope was made.
  public let age: Duration
  let scope: TrackedScope

  /// Closes the scope and the tracked scopes within the scope, the inner scopes first.
  ///
  /// ```swift
  /// for scope in container.statistics.openScopesByAge where scope.age > .seconds(600) {
  ///   try await scope.close()
  /// }
  /// ```
  ///
  /// First the call cancels the work of ``Container/withScope(named:timeLimit:file:line:_:)``, and
  /// waits for the work. Work that ends within `workLimit` ends the scope as usual; the call then
  /// waits for the end of the scope, within `timeLimit`. A scope still open after `workLimit` is
  /// closed with ``ScopeOutcome/interrupted``. The disposers then run beside work that ignores the
  /// cancellation; later resolves by the work throw ``ResolutionError/containerClosed(_:)``, and
  /// `withScope` still returns the result of the work. Work not begun before the closing throws
  /// ``ResolutionError/scopeRefused(_:)`` instead of running. A scope that has already ended is
  /// left alone. Scopes that are not within each other are closed side by side, at most 32 at once;
  /// all share `totalTimeLimit`.
  ///
  /// Work that awaits the closing of its own scope cannot end first: the scope is closed when
  /// `workLimit` has passed.
  ///
  /// - Parameters:
  ///   - workLimit: the longest time for cancelled work to end.
  ///   - timeLimit: the longest time for each disposer, and for the constructions in one scope
  ///     together.
  ///   - totalTimeLimit: the longest time for the whole call; `nil` for none.
  /// - Throws: ``CloseError/disposalFailed(_:)``, if a disposer throws, or if a scope ended by the
  ///   work has not ended in time.
  ///
  /// No thread is blocked.
  nonisolated(nonsending)
    public func close(
      workLimit: Duration = .seconds(1), timeLimit: Duration = .seconds(30),
      totalTimeLimit: Duration? = nil
    ) async throws
  {
    let failures = await scope.close(
      workLimit: workLimit, timeLimits: TimeLimits(each: timeLimit, total: totalTimeLimit))
    if !failures.isEmpty { throw CloseError.disposalFailed(failures) }
  }
}

extension Container {
  /// The state of this container in numbers.
  ///
  /// ```swift
  /// print(container.statistics.openScopes)
  /// ```
  ///
  /// The numbers are read in sequence: other numbers may change meanwhile. The numbers of a version
  /// of a ``ReloadableContainer`` cover all registrations that the version resolves, and the scopes
  /// made of this version. Registrations that only older versions have, or that have been replaced,
  /// are not counted.
  ///
  /// - Complexity: O(*n* log *n*) in the number of keys ever registered, and O(*p*) in the number
  ///   of processors; O(*s* log *s*) in the number of tracked open scopes.
  ///
  /// Takes the container's writer lock, once; a version takes the writer locks of the parents
  /// together with its own. Nothing is counted for the statistics: resolves and scopes cost the
  /// same with and without, unless ``tracksScopes`` is on.
  public var statistics: ContainerStatistics {
    let records = registry.describedRegistrations(includingParents: false).map(\.record.served)
    var built: [AnyScope: Int] = [:]
    for record in records where record.storesInstance { built[record.scope, default: 0] += 1 }
    let now = ContinuousClock.now
    let tracked = registry.ownOpenScopes.map {
      OpenScope(
        location: $0.scope.location, age: max(.zero, $0.beginning.duration(to: now)),
        scope: $0.scope)
    }
    let openScopes = registry.openScopeCount
    return ContainerStatistics(
      registrations: records.count, built: built, openScopes: openScopes,
      openScopesByAge: tracked, untrackedScopes: max(0, openScopes - tracked.count),
      isDraining: registry.openScopes.isDraining
        || registry.baseOfLayer?.openScopes.isDraining ?? false,
      isClosed: registry.isClosed)
  }
}
