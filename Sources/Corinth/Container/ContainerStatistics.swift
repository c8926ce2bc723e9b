// SPDX-License-Identifier: MIT

/// The state of a container at one moment, in numbers: a value.
///
/// ```swift
/// let statistics = container.statistics
/// gauge(label: "scopes").record(statistics.openScopes)
/// ```
///
/// ``MetricsBehavior`` counts what happens over time: resolves, failures, constructions.
public struct ContainerStatistics: Sendable, Hashable {
  /// The number of registrations of the container itself.
  public let registrations: Int
  /// How many of these store an instance, by their scopes; see ``ListedRegistration/isBuilt``.
  public let built: [AnyScope: Int]
  /// The number of request scopes that are open, at any depth.
  public let openScopes: Int
  /// Whether new request scopes are refused, because the container is being shut down.
  public let isDraining: Bool
  /// Whether it has been closed.
  public let isClosed: Bool
}

extension Container {
  /// The state of this container in numbers.
  ///
  /// ```swift
  /// print(container.statistics.openScopes)
  /// ```
  ///
  /// The numbers are read one after the other: others may change meanwhile.
  ///
  /// - Complexity: O(*n* log *n*) in the number of keys ever registered, and O(*p*) in that of processors.
  ///
  /// Takes the container's writer lock, once. Nothing is counted for it: resolves and scopes cost the same with and without.
  public var statistics: ContainerStatistics {
    let records = registry.registrations()
    var built: [AnyScope: Int] = [:]
    for record in records where record.storesInstance { built[record.scope, default: 0] += 1 }
    return ContainerStatistics(
      registrations: records.count, built: built, openScopes: registry.openScopeCount,
      isDraining: registry.openScopes.isDraining, isClosed: registry.isClosed)
  }
}
