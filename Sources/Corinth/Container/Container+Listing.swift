// SPDX-License-Identifier: MIT

extension Container {
  /// The registrations of this container, in the order in which they were made. No factory runs. One that overrides another
  /// takes its place.
  ///
  /// ```swift
  /// for registration in container.registrations { print(registration) }
  /// ```
  ///
  /// They are those of one moment. Of a version of a ``ReloadableContainer`` they are those that it resolves: what the
  /// container has that the version is made of, and what reloads have put in its place.
  ///
  /// - Complexity: O(*n* log *n*) in the number of keys ever registered.
  ///
  /// Takes the container's writer lock, once. A version takes those of its parents with it.
  public var registrations: [ListedRegistration] {
    registrations(includingParents: false)
  }

  /// The registrations of this container and, if asked for, of its parents, in the order in which they were made.
  ///
  /// ```swift
  /// let visible = tenant.registrations(includingParents: true)
  /// ```
  ///
  /// Those that a nearer container shadows are listed too; ``ListedRegistration/level`` distinguishes them. All are
  /// those of one moment.
  ///
  /// - Complexity: O(*n* log *n*) in the number of keys ever registered.
  ///
  /// Takes the writer locks of the containers that are listed, for a moment.
  public func registrations(includingParents: Bool) -> [ListedRegistration] {
    registry.describedRegistrations(includingParents: includingParents)
      .map { ListedRegistration($0.record, level: $0.level) }
  }

  /// Resolves an instance by a key, without its static type.
  ///
  /// ```swift
  /// for registration in container.registrations where registration.key.name == "health" {
  ///   report(try container.resolve(key: registration.key))
  /// }
  /// ```
  ///
  /// A key with arguments cannot be resolved so.
  ///
  /// - Parameter key: that of a listed registration, here or in a parent.
  /// - Throws: ``ResolutionError``.
  /// - Complexity: O(1), plus the time of the factories that run.
  ///
  /// As ``Resolving/resolve(_:)``: takes no lock, and waits at most for a construction of the same instance.
  public func resolve(key: RegistrationKey) throws -> Any {
    try registry.refuseArguments(of: key)
    return try registry.box(of: key, arguments: nil, within: nil).product
  }

  /// Resolves an instance by a key, without its static type, asynchronously.
  ///
  /// ```swift
  /// let instance = try await container.resolveAsync(key: registration.key)
  /// ```
  ///
  /// As ``resolve(key:)``. No thread is blocked. The caller stays on its actor.
  nonisolated(nonsending)
    public func resolveAsync(key: RegistrationKey) async throws -> Any
  {
    try registry.refuseArguments(of: key)
    return try await registry.boxAsync(of: key, arguments: nil, within: nil).product
  }

  /// Removes all registrations of this container and their stored instances, or those that a predicate picks.
  ///
  /// ```swift
  /// container.removeAll { $0.key.name == "test" }
  /// ```
  ///
  /// The predicate gets a listing and runs without a lock: it may use the container. In a reload it gets what the version
  /// has registered itself. Registrations that have been overridden or removed since stay as they are. If the predicate
  /// throws, nothing is removed.
  ///
  /// For the writers it is one step. For readers it is not: a concurrent resolve may find one key removed and another
  /// still there.
  ///
  /// - Parameter isRemoved: picks registrations of this container; all when left out.
  /// - Returns: the number of registrations that were removed.
  /// - Complexity: O(*n*) in the number of keys ever registered; O(*n* log *n*) with a predicate, and in a fork.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func removeAll(
    where isRemoved: ((ListedRegistration) throws -> Bool)? = nil
  ) rethrows -> Int {
    if isRemoved == nil { return registry.removeRegistrations() }
    return try registry.removeRegistrations(serials(where: isRemoved!))
  }

  /// Releases all stored instances, or those of the registrations that a predicate picks: the next resolves build others.
  ///
  /// ```swift
  /// container.releaseAll { $0.isBuilt && $0.key.name == "cache" }
  /// ```
  ///
  /// As ``removeAll(where:)``, it is one step for the writers only.
  ///
  /// - Returns: the number of registrations that had an instance, or were building one.
  /// - Complexity: O(*n*) in the number of keys ever registered; O(*n* log *n*) with a predicate.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func releaseAll(
    where isReleased: ((ListedRegistration) throws -> Bool)? = nil
  ) rethrows -> Int {
    if isReleased == nil { return registry.releaseInstances(nil) }
    return try registry.releaseInstances(serials(where: isReleased!))
  }

  private func serials(where isPicked: (ListedRegistration) throws -> Bool) rethrows -> Set<UInt64>
  {
    let records = registry.registrations { !$0.isAbsence }
    return Set(try records.map { ListedRegistration($0) }.filter(isPicked).map(\.serial))
  }
}
