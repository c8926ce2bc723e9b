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
    ClosingEvents.handToTask(closing)
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
        closingState.joinAssumingWaitsLockHeld().map { closing in
          enclosing.contains { $0 === closing }
        } ?? false
      }
  }
}
