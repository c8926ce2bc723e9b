// SPDX-License-Identifier: MIT

/// The end of scopes whose work goes on, by others.
///
///  1. The work is cancelled, and has some time to end its scopes itself.
///  2. The ends of all scopes that are still open are taken over, under one mutex: no scope is opened within them any more. Work
///     that has ended keeps its scope, and is waited for.
///  3. Their closings are claimed, the outer ones first. The end of work from here on ends nothing, so that no scope is disposed of
///     before those within it.
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

  /// Cancels the work in scopes, and waits for it.
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
  /// Closes this scope, and those within it.
  nonisolated(nonsending)
    func close(workLimit: Duration, timeLimits: TimeLimits) async -> [DisposalFailure]
  {
    await tracking.close(workLimit: workLimit, timeLimits: timeLimits, areAll: false) { entry in
      entry.scope.isWithin { $0 === self }
    }
  }

  /// Waits for the end of a scope that its own work, or somebody else, closes.
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
  /// Closes the open scopes that were made from this container, and within these, and are tracked.
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

  /// Claims the closing of this scope, whose own closers are to wait for it.
  ///
  /// - Returns: `nil` if there is nothing to dispose of, or somebody else closes it.
  fileprivate func claimForOthers() -> Closing? {
    // SAFETY: the state holds the closing until its end.
    guard sealForDisposal(),
      let closing = unsafe claimClosing(after: .interrupted)?.takeUnretainedValue()
    else { return nil }
    ClosingEvents.handToTask(closing)
    return closing
  }

  /// Whether others have taken over the end of this scope. Out of line, as it is asked in vain.
  var isTakenOver: Bool {
    @inline(never) get { trackedScope?.isTakenOver ?? false }
  }

  /// Whether a disposer may keep the caller's wait for the end of this scope from ending: the scope
  /// may be closed after the scope that the disposer belongs to.
  var isTakenOverDuringDisposal: Bool { isTakenOver && !DisposalContext.enclosing.isEmpty }

  /// Whether the caller is a part of the closing of this container, which does not end before it goes on.
  fileprivate var isClosedByCaller: Bool {
    let enclosing = DisposalContext.enclosing
    return !enclosing.isEmpty
      && WaitsMutex.withLock {
        closingState.joinAssumingWaitsLockHeld().map { closing in
          enclosing.contains { $0 === closing }
        } ?? false
      }
  }
}
