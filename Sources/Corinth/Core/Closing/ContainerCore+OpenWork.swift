// SPDX-License-Identifier: MIT

/// The end of scopes with unfinished work, by outsiders.
///
///  1. The work is cancelled, and has some time to end its scopes itself.
///  2. The ends of all scopes still open are taken over, under one mutex: from then on, no scope is
///     opened inside. Work that has ended keeps its scope, and is waited for.
///  3. The closings of these scopes are claimed, the outer ones first. The end of work from now on
///     ends nothing, so no scope is disposed of before its inner scopes.
///  4. The claimed closings are carried out, the inner ones first, and unrelated ones side by side;
///     see ``ClaimedScopes``. All have one budget of time.
extension ScopeTracking {
  /// Closes open scopes.
  ///
  /// - Parameters:
  ///   - workLimit: the longest time for cancelled work to end.
  ///   - areAll: whether no further scope is to be opened.
  ///   - isIncluded: which scopes.
  nonisolated(nonsending)
    fileprivate func close(
      workLimit: Duration, timeLimits: TimeLimits, areAll: Bool, where isIncluded: (Entry) -> Bool
    ) async -> [DisposalFailure]
  {
    let timeLimits = timeLimits.begun()
    await endWork(
      of: openScopes.filter(isIncluded).map(\.scope), within: workLimit, timeLimits.begin())
    let claimed = takeOver(areAll: areAll, where: isIncluded).map { scope, isTakenOver in
      _ = scope.cancelWork()
      let held = scope.held
      return ClaimedScopes.Scope(
        tracked: scope, held: held, closing: isTakenOver ? held?.core.claimForOthers() : nil)
    }
    return await ClaimedScopes(claimed).close(timeLimits)
  }

  /// Cancels the work in scopes, and waits for the end of the work.
  nonisolated(nonsending)
    private func endWork(
      of scopes: [TrackedScope], within limit: Duration, _ timeLimits: RunningTimeLimits
    ) async
  {
    let working = scopes.filter { $0.cancelWork() }
    guard !working.isEmpty, let left = try? timeLimits.next(of: limit) else { return }
    _ = await withTimeLimit(left, on: .steps) {
      for scope in working { await scope.wait(for: .endOfWork) }
    }
  }
}

extension TrackedScope {
  /// Closes the scope, and all scopes inside.
  nonisolated(nonsending)
    func close(workLimit: Duration, timeLimits: TimeLimits) async -> [DisposalFailure]
  {
    await tracking.close(workLimit: workLimit, timeLimits: timeLimits, areAll: false) { entry in
      entry.scope.isWithin { $0 === self }
    }
  }

  /// Waits for the end of a scope closed by its own work, or by somebody else.
  nonisolated(nonsending)
    func waitForEnd(
      of core: ContainerCore?, _ timeLimits: TimeLimits
    ) async -> DisposalFailure?
  {
    if hasEnded { return nil }
    if let core, core.isClosedByCaller || core.isTakenOverDuringDisposal { return nil }
    let exceeded = await timeLimits.begin().exceeded(waitingFor: {
      await self.wait(for: .endOfScope)
    })
    return exceeded.map { exceeded in
      DisposalFailure(
        key: RegistrationKey(product: typeOfOwner), location: location,
        error: TimeLimitExceeded(
          limit: exceeded.limit, wasBegun: exceeded.wasBegun, of: .scope))
    }
  }
}

extension ContainerCore {
  // MARK: - Draining

  /// Refuses new scopes, waits until the open ones have closed, and closes the container.
  ///
  /// - Parameters:
  ///   - outcome: how the work in the container has ended.
  ///   - draining: the longest time to wait; `nil` neither refuses nor waits.
  ///   - workLimit: the longest time for the cancelled work of scopes still open after the
  ///     draining, which are then closed; `nil` leaves the scopes open.
  ///   - timeLimits: asked for when the draining is over.
  nonisolated(nonsending)
    func shutDown(
      after outcome: ScopeOutcome = .completed, draining: Duration?,
      closingScopesAfter workLimit: Duration? = nil,
      timeLimits: () -> TimeLimits
    ) async throws(CloseError)
  {
    var open = 0
    if let draining { open = await drain(for: draining) }
    let timeLimits = timeLimits()
    var failures: [DisposalFailure] = []
    if let workLimit {
      openScopes.drain(isScope: isScope)
      failures = await closeOpenScopes(
        workLimit: workLimit, timeLimits: timeLimits.sequential)
    }
    failures += await closeForDisposal(outcome: outcome, timeLimits: timeLimits)
    if open > 0 { throw .drainingTimedOut(openScopes: open, failures: failures) }
    if !failures.isEmpty { throw .disposalFailed(failures) }
  }

  /// Refuses new scopes, and waits until the open ones have closed, or until the container closes.
  ///
  /// - Parameter limit: the longest time to wait; `nil` for none.
  /// - Returns: the number of scopes that were still open when the time had passed.
  @discardableResult
  nonisolated(nonsending)
    func drain(for limit: Duration?) async -> Int
  {
    openScopes.drain(isScope: isScope)
    if isClosed || openScopeCount == 0 { return 0 }
    if limit.map({ $0 > .zero }) ?? true {
      // A wait that has timed out ends when the container closes.
      let result = await withTimeLimit(limit, on: .steps) { await Draining.wait(for: self) }
      if case .success = result { return 0 }
    }
    return isClosed ? 0 : openScopeCount
  }

  // MARK: - Open scopes

  /// Closes the open tracked scopes made from the container, and the scopes inside.
  ///
  /// - Parameters:
  ///   - workLimit: the longest time for cancelled work to end.
  ///   - timeLimits: begun.
  nonisolated(nonsending)
    func closeOpenScopes(
      workLimit: Duration, timeLimits: TimeLimits
    ) async -> [DisposalFailure]
  {
    guard let (tracking, version) = ownTracking else { return [] }
    return await tracking.close(
      workLimit: workLimit, timeLimits: timeLimits, areAll: version == nil
    ) { version == nil || $0.version == version }
  }

  /// Claims the closing of the scope, whose own closers are to wait.
  ///
  /// - Returns: `nil` without anything to dispose of, or if somebody else closes the scope.
  fileprivate func claimForOthers() -> Closing? {
    // SAFETY: the state holds the closing until its end.
    guard sealForDisposal(),
      let closing = unsafe claimClosing(after: .interrupted)?.takeUnretainedValue()
    else { return nil }
    WaitForGraph.passToTask(closing)
    return closing
  }

  /// Whether outsiders have taken over the end of the scope. Out of line, as mostly asked in vain.
  var isTakenOver: Bool {
    @inline(never) get { trackedScope?.isTakenOver ?? false }
  }

  /// Whether a disposer may keep the caller's wait for the end of this scope from ending: the scope
  /// may be closed after the scope that the disposer belongs to.
  var isTakenOverDuringDisposal: Bool { isTakenOver && !DisposalContext.enclosing.isEmpty }

  /// Whether the caller is a part of the closing of the container, which waits for the caller.
  fileprivate var isClosedByCaller: Bool {
    let enclosing = DisposalContext.enclosing
    return !enclosing.isEmpty
      && WaitsMutex.withLock {
        closingState.joinAssumingWaitsLockHeld(DisposalContext.self).map { closing in
          enclosing.contains { $0 === closing }
        } ?? false
      }
  }

  // MARK: - What is still open

  /// The open scopes for which the container's end still has to wait, and undisposed instances of
  /// the container and the versions. Text for a person, a line for each. Waits for no thread.
  var stillOpen: [String] {
    let tracked = ownOpenScopes
    let others = max(0, openScopeCount - tracked.count)
    return tracked.map { "a request scope, made at \($0.scope.location)" }
      + (others == 0 ? [] : [quantity(others, "request scope")])
      + (instancesStillOpen + versionCores.flatMap(\.instancesStillOpen)).map {
        record, isBuilding in
        "\(record.key), \(isBuilding ? "under construction" : "not disposed of"), registered at \(record.location)"
      }
  }

  private var versionCores: [ContainerCore] { versionsIfMade?.cores ?? [] }

  /// The registrations of instances under construction.
  var recordsUnderConstruction: [RegistrationRecord] {
    instancesStillOpen.filter(\.isBuilding).map(\.0)
  }

  /// The registrations of instances under construction, or with disposers.
  var instancesStillOpen: [(RegistrationRecord, isBuilding: Bool)] {
    var found: [(RegistrationRecord, isBuilding: Bool)] = []
    func look(at record: RegistrationRecord, _ place: Place) {
      if place.isBuilding {
        found.append((record, true))
      } else if place.isBuilt, record.hasDisposers {
        found.append((record, false))
      }
    }
    forEachPlace(look)
    forEachRegistration { record in
      for form in record.forms {
        for state in form.instances { look(at: form, .state(state)) }
      }
    }
    return found
  }
}
