// SPDX-License-Identifier: MIT

/// The actions that run when an instance has been built, and close cycles.
///
/// Meanwhile the instance can be lent to the resolution that it is a part of; see ``WaitForGraph``. An action
/// may ask for an instance whose factory is still running further out: it then fails, and it and those
/// after it run again as soon as that factory has returned.
extension RegistrationRecord {
  /// Runs what was put off for this construction, and then its own actions.
  ///
  /// - Returns: `false` when some are put off themselves.
  func initialise(
    _ box: AnyInstanceBox, for construction: Construction, in place: InstancePlace
  ) throws -> Bool {
    if lifecycle.afterInit.isEmpty, !construction.isEntangled { return true }
    WaitForGraph.offer(box, of: construction)
    while let postponed = WaitForGraph.nextPostponed(for: construction) {
      try postponed.resume(inside: construction)
    }
    return try runActions(
      PostponedActions(
        construction: construction, record: self, place: place, box: box, firstAction: 0))
  }

  fileprivate func runActions(_ actions: PostponedActions) throws -> Bool {
    let resolver = Resolver(
      registry: actions.place.resolver.registry, construction: actions.construction)
    for index in lifecycle.afterInit.indices.dropFirst(actions.firstAction) {
      do {
        guard case .synchronous(let action) = lifecycle.afterInit[index] else { continue }
        try action(resolver, actions.box)
      } catch {
        if isPostponed(actions, at: index, because: error) { return false }
        throw error
      }
    }
    return true
  }

  func initialiseAsync(
    _ box: AnyInstanceBox, for construction: Construction, in place: InstancePlace
  ) async throws -> Bool {
    if lifecycle.afterInit.isEmpty, !construction.isEntangled { return true }
    WaitForGraph.offer(box, of: construction)
    while let postponed = WaitForGraph.nextPostponed(for: construction) {
      try await postponed.resumeAsync()
    }
    return try await runActionsAsync(
      PostponedActions(
        construction: construction, record: self, place: place, box: box, firstAction: 0))
  }

  fileprivate func runActionsAsync(_ actions: PostponedActions) async throws -> Bool {
    let resolver = Resolver(
      registry: actions.place.resolver.registry, construction: actions.construction)
    for index in lifecycle.afterInit.indices.dropFirst(actions.firstAction) {
      do {
        switch lifecycle.afterInit[index] {
        case .synchronous(let action): try action(resolver, actions.box)
        case .asynchronous(let action): try await action(resolver, actions.box)
        }
      } catch {
        if isPostponed(actions, at: index, because: error) { return false }
        throw error
      }
    }
    return true
  }

  private func isPostponed(
    _ actions: PostponedActions, at index: Int, because error: any Error
  ) -> Bool {
    guard case .circularDependencyDetected? = error as? ResolutionError else { return false }
    return WaitForGraph.postpone(
      PostponedActions(
        construction: actions.construction, record: self, place: actions.place, box: actions.box,
        firstAction: index))
  }
}

extension PostponedActions {
  /// Runs them, inside of the construction that they were put off for.
  fileprivate func resume(inside outer: Construction) throws {
    construction.enter()
    do {
      let isDone = try record.runActions(self)
      construction.leave(to: outer)
      if isDone { try end() }
    } catch {
      construction.leave(to: outer)
      throw record.fail(construction, in: place.state, error)
    }
  }

  fileprivate func resumeAsync() async throws {
    do {
      let isDone = try await construction.runInTask {
        try await record.runActionsAsync(self)
      }
      if isDone { try end() }
    } catch {
      throw record.fail(construction, in: place.state, error)
    }
  }

  private func end() throws {
    _ = try record.end(construction, in: place, with: box, kept: record.kept(box))
  }
}
