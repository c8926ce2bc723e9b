// SPDX-License-Identifier: MIT

/// The construction protocol for tasks: nobody is blocked, and what is built belongs to no caller.
extension RegistrationRecord {
  /// An instance according to the registration's scope, built by this call or by one that came before.
  nonisolated(nonsending)
    final func boxAsync(in place: InstancePlace) async throws(ResolutionError) -> AnyInstanceBox
  {
    if scope.kind == .transient { return try await transientBoxAsync(in: place) }
    var place = place
    while true {
      switch begin(in: place, mayBuild: !isAsynchronous || !Task.isCancelled) {
      case .instance(let box):
        return box
      case .underWay:
        let outcome = await WaitForGraph.waitAsync(
          for: place.state, requestedBy: place.resolver.construction)
        if let box = try box(after: outcome) { return box }
      case .begun(let begun):
        let box = isAsynchronous ? try await start(begun, in: place) : try build(begun, in: place)
        if let box { return box }
      case .refresh(let old):
        return isAsynchronous ? try await refreshAsync(old, in: place) : try refresh(old, in: place)
      case .refused:
        throw .underlyingError(ResolutionError.Context(failureOf: self, CancellationError()))
      case .closed:
        throw place.resolver.registry.missing(key)
      }
      if place.isOver { place = try renewed(place) }
    }
  }

  /// A new instance, which nobody shares.
  nonisolated(nonsending)
    private func transientBoxAsync(
      in place: InstancePlace
    ) async throws(ResolutionError) -> AnyInstanceBox
  {
    guard mayBuildAsynchronously else { return try transientBox(in: place) }
    let construction = try Construction.transient(of: self, within: place.resolver.construction)
    defer { construction.markFinished() }
    do {
      let resolver = Resolver(registry: place.resolver.registry, construction: construction)
      return try await construction.runInTask {
        let box = try await buildAsync(resolver, place.arguments)
        try await initialiseAsync(box, for: resolver)
        return box
      }
    } catch {
      throw ResolutionError(error, thrownBy: self)
    }
  }

  /// Runs the actions of an instance that is lent to nobody.
  private func initialiseAsync(_ box: AnyInstanceBox, for resolver: Resolver) async throws {
    for action in lifecycle.afterInit {
      switch action {
      case .synchronous(let action): try action(resolver, box)
      case .asynchronous(let action): try await action(resolver, box)
      }
    }
  }

  /// Starts the task of a claimed construction, and waits for it.
  nonisolated(nonsending)
    private func start(
      _ begun: BegunConstruction, in place: InstancePlace
    ) async throws(ResolutionError) -> AnyInstanceBox?
  {
    let outcome = await WaitForGraph.waitAsync(
      for: place.state, requestedBy: place.resolver.construction
    ) { [self] in
      Task { await buildInTask(begun, in: place) }
    }
    return try box(after: outcome)
  }

  /// Runs the factory as the claimed construction and publishes its product, or gives the claim back.
  private func buildInTask(_ begun: BegunConstruction, in place: InstancePlace) async {
    let construction = begun.construction
    do {
      let resolver = Resolver(registry: place.resolver.registry, construction: construction)
      try await construction.runInTask {
        let box = try await buildAsync(resolver, place.arguments)
        let kept = try kept(box)
        if try await initialiseAsync(box, for: construction, in: place) {
          _ = end(construction, in: place, with: box, kept: kept)
        }
      }
    } catch {
      _ = fail(construction, in: place.state, error)
    }
    begun.retireOutdated()
  }

  nonisolated(nonsending)
    private func refreshAsync(
      _ old: AnyInstanceBox, in place: InstancePlace
    ) async throws(ResolutionError) -> AnyInstanceBox
  {
    let construction = Construction(
      of: self, keptBy: keeper(in: place.resolver.registry),
      requestedBy: place.resolver.construction, isShared: false)
    defer { construction.markFinished() }
    do {
      let resolver = Resolver(registry: place.resolver.registry, construction: construction)
      let box = try await construction.runInTask {
        let box = try await buildAsync(resolver, place.arguments)
        try await initialiseAsync(box, for: resolver)
        return box
      }
      replace(old, with: box, in: place, builtBy: construction)
      return box
    } catch {
      old.expiry?.abandonRefresh()
      throw ResolutionError(error, thrownBy: self)
    }
  }
}

extension Construction {
  /// How deep asynchronous transients with arguments may recur: with other arguments they may well end.
  private static var recursionsAtMost: Int { 128 }

  /// The construction of an instance that nobody shares; an error if it is already under way further out.
  fileprivate static func transient(
    of record: RegistrationRecord, within requester: Construction?
  ) throws(ResolutionError) -> Construction {
    let around = unfinishedChain(of: innermost(requestedBy: requester))
    let recursions = around.reduce(0) { $0 + ($1.serial == record.serial ? 1 : 0) }
    if recursions > (record.key.arguments == nil ? 0 : recursionsAtMost) {
      throw .circularDependencyDetected(ResolutionError.Context(cycle: [record.key]))
    }
    return Construction(of: record, keptBy: nil, requestedBy: requester, isShared: false)
  }
}
