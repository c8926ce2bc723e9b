// SPDX-License-Identifier: MIT

extension Container {
  /// The registrations of this container, in the order of registration. No factory runs. An
  /// overriding registration takes the place of the overridden registration.
  ///
  /// ```swift
  /// for registration in container.registrations { print(registration) }
  /// ```
  ///
  /// The list shows a single moment. The list of a version of a ``ReloadableContainer`` has all
  /// registrations that the version resolves: the registrations of the base container, and the
  /// replacements that reloads have made.
  ///
  /// - Complexity: O(*n* log *n* + *n* · *a*) in the numbers of keys ever registered, and of
  ///   assemblies.
  ///
  /// Takes the container's writer lock, once. A version takes the writer locks of the parents
  /// together with its own.
  public var registrations: [ListedRegistration] {
    registrations(includingParents: false)
  }

  /// The registrations of this container and, if asked for, of the parents, in the order of
  /// registration.
  ///
  /// ```swift
  /// let visible = tenant.registrations(includingParents: true)
  /// ```
  ///
  /// Registrations that a nearer container shadows are listed too; ``ListedRegistration/level``
  /// distinguishes them. The whole list shows a single moment.
  ///
  /// - Complexity: O(*n* log *n* + *n* · *a*) in the numbers of keys ever registered, and of
  ///   assemblies.
  ///
  /// Takes the writer locks of the listed containers, for a moment.
  public func registrations(includingParents: Bool) -> [ListedRegistration] {
    registry.describedRegistrations(includingParents: includingParents)
      .map { ListedRegistration($0.record, level: $0.level, in: registry) }
  }

  /// Resolves an instance by a key, without its static type.
  ///
  /// ```swift
  /// for registration in container.registrations where registration.key.name == "health" {
  ///   report(try container.resolve(key: registration.key))
  /// }
  /// ```
  ///
  /// A key with arguments cannot be resolved by this function.
  ///
  /// - Parameter key: the key of a listed registration, here or in a parent.
  /// - Throws: ``ResolutionError``.
  /// - Complexity: O(1), plus the time of the factories that run.
  ///
  /// Takes no lock, like ``Resolving/resolve(_:)``, and waits at most for a construction of the
  /// resolved instance.
  public func resolve(key: RegistrationKey) throws -> Any {
    try key.refuseArguments()
    return try registry.box(of: key, arguments: nil, within: nil).product
  }

  /// Resolves an instance by a key, without its static type, asynchronously.
  ///
  /// ```swift
  /// let instance = try await container.resolveAsync(key: registration.key)
  /// ```
  ///
  /// Works like ``resolve(key:)``. No thread is blocked. The caller stays on its actor.
  ///
  /// - Throws: ``ResolutionError``.
  nonisolated(nonsending)
    public func resolveAsync(key: RegistrationKey) async throws -> Any
  {
    try key.refuseArguments()
    return try await registry.boxAsync(of: key, arguments: nil, within: nil).product
  }

  /// Removes all registrations of this container with the stored instances, or the registrations
  /// that a predicate picks.
  ///
  /// ```swift
  /// container.removeAll { $0.key.name == "test" }
  /// ```
  ///
  /// The predicate gets a listing and runs without a lock: the predicate may use the container. In
  /// a reload the predicate gets the version's own registrations. Registrations that have been
  /// overridden or removed since stay unchanged. If the predicate throws, nothing is removed.
  ///
  /// For writers the removal is a single step. For readers the removal is gradual: a concurrent
  /// resolve may find a removed key and another key still present.
  ///
  /// - Parameter isRemoved: picks registrations of this container; all when left out.
  /// - Returns: the number of removed registrations.
  /// - Complexity: O(*n*) in the number of keys ever registered; O(*n* log *n*) with a predicate,
  ///   and in a fork.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func removeAll(
    where isRemoved: ((ListedRegistration) throws -> Bool)? = nil
  ) rethrows -> Int {
    if isRemoved == nil { return registry.removeRegistrations() }
    return try registry.removeRegistrations(serials(where: isRemoved!))
  }

  /// Releases all stored instances, or the instances of the registrations that a predicate picks:
  /// the next resolves build again.
  ///
  /// ```swift
  /// container.releaseAll { $0.isBuilt && $0.key.name == "cache" }
  /// ```
  ///
  /// The release is a single step for writers only, as in ``removeAll(where:)``.
  ///
  /// - Returns: the number of registrations with an instance present, or under construction.
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
    return Set(
      try records.map { ListedRegistration($0, in: registry) }.filter(isPicked).map(\.serial))
  }
}
