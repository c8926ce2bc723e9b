// SPDX-License-Identifier: MIT

/// The end of a container: its instances are disposed of in the reverse order of completion.
///
/// The only user of a scope closes with plain stores, see ContainerCore+ClosingCells.swift. Every
/// other closer seals the container first. A single closer claims the closing, see
/// ``ClosingState``, and carries it out; all others wait, see WaitForGraph+Closings.swift.
extension ContainerCore {
  /// Closes the container on the calling thread.
  @inline(__always)
  func close(outcome: ScopeOutcome) throws(CloseError) {
    if !isClosed,
      hasSlots || ending.requireAwaitedDisposal || DisposerList.expectsLateAsynchronous
    {
      let keys = keysRequiringAsyncClose
      if !keys.isEmpty || versionsIfMade != nil { throw .asyncCloseRequired(keys) }
    }
    if let claimed = unsafe claimClosingAlone(after: outcome) {
      try unsafe dispose(claimed)
    } else if sealForDisposal() {
      try dispose(after: outcome)
    }
  }

  /// Closes a container with something to dispose of, as found by ``sealForDisposal()``. Out of
  /// line, to keep the ends of scopes short.
  @inline(never)
  private func dispose(after outcome: ScopeOutcome) throws(CloseError) {
    guard let claimed = unsafe claimClosing(after: outcome) else {
      if isTakenOverDuringDisposal { return }
      if case .passedToTask = WaitForGraph.wait(forClosingOf: self), !isTakenOver {
        throw .asyncCloseUnderWay
      }
      return
    }
    try unsafe dispose(claimed)
  }

  /// Carries a claimed closing out on the calling thread. Out of line, as above.
  @inline(never)
  private func dispose(_ claimed: Unmanaged<Closing>) throws(CloseError) {
    if let failures = unsafe disposeFromCells(claimed) { return try throwing(failures) }
    try disposeKept(unsafe claimed.takeUnretainedValue())
  }

  /// Carries a closing out on the calling thread. Out of line, as above.
  @inline(never)
  private func disposeKept(_ closing: Closing) throws(CloseError) {
    handKeptStates(to: closing)
    if closing.requiresTask {
      // An instance that only a task can wait for or dispose of was begun since the look at keys.
      _ = handToTask(closing, TimeLimits.none.begin())
      throw .asyncCloseUnderWay
    }
    try throwing(disposeKeptOnThread(closing))
  }

  /// Closes the container. No thread is blocked.
  nonisolated(nonsending)
    func close(outcome: ScopeOutcome, timeLimits: TimeLimits) async throws(CloseError)
  {
    if timeLimits.areNone, !Task.isCancelled,
      let claimed = unsafe claimClosingAlone(after: outcome)
    {
      if let failures = unsafe disposeFromCells(claimed) { return try throwing(failures) }
      try throwing(unsafe await dispose(claimed.takeUnretainedValue(), timeLimits: timeLimits))
    } else if sealForDisposal() {
      try await dispose(outcome: outcome, timeLimits: timeLimits)
    }
  }

  /// Closes a container with something to dispose of, as found by ``sealForDisposal()``.
  nonisolated(nonsending)
    func dispose(outcome: ScopeOutcome, timeLimits: TimeLimits) async throws(CloseError)
  {
    guard let claimed = unsafe claimClosing(after: outcome) else {
      if !EndingVersions.await(callerInside: self), !isTakenOverDuringDisposal {
        try await waitForClosing(timeLimits)
      }
      return
    }
    if timeLimits.areNone, !Task.isCancelled, let failures = unsafe disposeFromCells(claimed) {
      return try throwing(failures)
    }
    try throwing(unsafe await dispose(claimed.takeUnretainedValue(), timeLimits: timeLimits))
  }

  /// Waits for a closing by another caller, within the total limit. The limits of disposers are up
  /// to the other caller.
  nonisolated(nonsending)
    private func waitForClosing(_ timeLimits: TimeLimits) async throws(CloseError)
  {
    guard let total = timeLimits.total, let left = timeLimits.begin().left else {
      return await WaitForGraph.waitAsync(forClosingOf: self)
    }
    let result = await withTimeLimit(left, on: .steps) {
      await WaitForGraph.waitAsync(forClosingOf: self)
    }
    if case .failure = result {
      throw .disposalFailed([.closingByOther(of: self, limit: total)])
    }
  }

  /// Carries out a closing that has claimed the container's state. Inlined: see `Container.ending`.
  @inline(__always)
  nonisolated(nonsending)
    func dispose(_ closing: Closing, timeLimits: TimeLimits) async -> [DisposalFailure]
  {
    if !timeLimits.areSequential { closing.registrations = EndingRegistrations(of: self) }
    handKeptStates(to: closing)
    let context = ResolutionContext.runningInTask
    if !closing.awaitsNothing(timeLimits: timeLimits) {
      // A task of its own: the caller's cancellation does not reach the disposers.
      return await handToTask(closing, timeLimits.begin(), within: context).value
    }
    if Task.isCancelled, context == nil {
      // Not in a construction, of which the disposers must stay a part, and on its actor.
      return await disposeUncancelled(closing, on: #isolation)
    }
    return disposeKeptOnThread(closing)
  }

  /// Puts the caller in charge of the disposal; `nil` if a closer has claimed before.
  // SAFETY: the state holds the closing until `end`.
  func claimClosing(after outcome: ScopeOutcome) -> Unmanaged<Closing>? {
    let closing = unsafe Closing.begin(after: outcome)
    if unsafe closingState.claim(closing) { return unsafe closing }
    unsafe Closing.letGo(closing)
    return nil
  }

  private func throwing(_ failures: [DisposalFailure]) throws(CloseError) {
    if !failures.isEmpty { throw .disposalFailed(failures) }
  }

  // MARK: - Before the disposal

  /// The keys of instances that only an asynchronous closing can wait for or dispose of. Out of
  /// line, to keep the ends of scopes short.
  @inline(never)
  private var keysRequiringAsyncClose: [RegistrationKey] {
    var keys: [RegistrationKey] = []
    func look(at record: RegistrationRecord, _ place: Place) {
      if place.requiresTask(toEnd: record), !keys.contains(record.key) { keys.append(record.key) }
    }
    func lookAtForms(of record: RegistrationRecord) {
      for form in record.forms where form.hasDisposers {
        for state in form.instances { look(at: form, .state(state)) }
      }
    }
    forEachPlace(look)
    forEachRegistration(lookAtForms)
    overridden.forEach(lookAtForms)
    return keys
  }

  /// Keeps registrations, resolves and new instances out from now on.
  ///
  /// - Returns: `false` without anything left to dispose of. The instances are then released.
  func sealForDisposal() -> Bool {
    if closeCellsAlone() { return false }
    if !seal(), closingState.isClosed { return false }
    // To others, the cells of a scope that the first user closes are closed.
    if !closingState.isAlone { sealCells() }
    if openScopes.isMarked { noteMarkedSeal() }
    if requiresDisposal { return true }
    // First: beside a late disposer, another closer may dispose of the instances.
    if closingState.end() {
      table.cells?.empty()
      noteEndOfScope()
    }
    return false
  }

  /// Out of line, to keep the ends of scopes short.
  @inline(never)
  func noteMarkedSeal() {
    if openScopes.isDraining { Draining.endWaits(for: self) }
    if openScopes.isTracked { expectOutlivingInstances() }
  }

  /// Whether the end must do more than release the `.scoped` instances.
  @inline(__always)
  var requiresDisposal: Bool {
    hasSlots || ending.requireDisposal
      || EndRequirements.areLateDisposersExpected && requiresLateDisposal
  }

  /// Out of line, to keep the ends of scopes short.
  @inline(never)
  private var requiresLateDisposal: Bool {
    var isRequired = false
    forEachOwnedCell { record, cell in
      if record.hasDisposers, cell.load().address != 0 { isRequired = true }
    }
    return isRequired
  }

  // MARK: - On a thread

  private func disposeKeptOnThread(_ closing: Closing) -> [DisposalFailure] {
    unsafe disposeOnThread(.passUnretained(closing)) { closing, failures in
      closing.beginAwaiting()
      var (kept, registrations) = closing.takeKept()
      for each in kept { each.settleOnThread() }
      closing.endAwaiting()
      kept.removeAll { each in
        if each.isSettled { return false }
        disposeWhenComplete(each, after: closing.outcome)
        return true
      }
      for disposable in kept.disposables(among: registrations) {
        disposable.disposeOnThread(after: closing.outcome, &failures)
        noteDisposal(of: disposable.record)
      }
    }
  }

  /// - Parameter body: disposes of all instances, as a part of the closing.
  @inline(__always)
  func disposeOnThread(
    _ closing: Unmanaged<Closing>, by body: (Closing, inout [DisposalFailure]) -> Void
  ) -> [DisposalFailure] {
    let failures = unsafe closing._withUnsafeGuaranteedRef { closing in
      closing.run {
        var failures: [DisposalFailure] = []
        body(closing, &failures)
        letInstancesGo()
        return failures
      }
    }
    unsafe end(closing)
    return failures
  }

  // MARK: - In a task

  /// As `disposeOnThread`, also on the caller's actor, in a task that no cancellation reaches.
  private func disposeUncancelled(
    _ closing: Closing, on isolation: isolated (any Actor)?
  ) async -> [DisposalFailure] {
    WaitForGraph.passToTask(closing)
    return await Task {
      _ = isolation
      return disposeKeptOnThread(closing)
    }.value
  }

  /// Carries a closing out in a task, which no cancellation reaches.
  ///
  /// - Parameter context: the context of a caller that awaits the task, for the disposers to join.
  private func handToTask(
    _ closing: Closing, _ timeLimits: RunningTimeLimits, within context: ResolutionContext? = nil
  ) -> Task<[DisposalFailure], Never> {
    WaitForGraph.passToTask(closing)
    closing.beginAwaiting()
    let versions = closing.takeVersions()
    return Task(executorPreference: timeLimits.limits.executor) { [self] in
      let failures = await ResolutionContext.continuing(context) {
        await closing.run {
          let failures = await dispose(closing, with: versions, timeLimits)
          letInstancesGo()
          return failures
        }
      }
      unsafe end(.passUnretained(closing), with: versions)
      return failures
    }
  }

  private func dispose(
    _ closing: Closing, with versions: EndingVersions?, _ timeLimits: RunningTimeLimits
  ) async -> [DisposalFailure] {
    let (ownKept, registrations) = closing.takeKept()
    var kept = ownKept
    var failures: [DisposalFailure] = []
    if let versions {
      failures = await versions.awaitReloads(timeLimits)
      kept += versions.leftInstances(of: self)
    }
    let begin = ContinuousClock.now
    await versions?.settle(timeLimits, since: begin, after: closing.outcome, &failures)
    let settled = await settle(kept, timeLimits, since: begin, after: closing.outcome, &failures)
    closing.endAwaiting()
    failures += await versions?.dispose(after: closing.outcome, timeLimits) ?? []
    failures += await settled.dispose(
      in: self, among: registrations, after: closing.outcome, timeLimits)
    versions?.letGoOfLeftInstances()
    return failures
  }

  /// Waits until nothing is being built. An instance that exceeds its time limit is disposed of
  /// when its construction ends.
  ///
  /// - Parameter failures: gets the instances that have taken too long.
  /// - Returns: the remaining states.
  @inline(never) func settle(
    _ kept: [KeptState], _ timeLimits: RunningTimeLimits,
    since begin: ContinuousClock.Instant = .now, after outcome: ScopeOutcome,
    _ failures: inout [DisposalFailure]
  ) async -> [KeptState] {
    var settled: [KeptState] = []
    for each in kept {
      if each.stateUnderConstruction != nil {
        if case .failure(let error) = await each.settle(timeLimits, since: begin) {
          failures.append(DisposalFailure(each.record, error))
        }
        if !each.isSettled {
          disposeWhenComplete(each, after: outcome, timeLimit: timeLimits.limits.each)
          continue
        }
      }
      settled.append(each)
    }
    return settled
  }

  /// Disposes later of an instance that takes too long, or whose end waits for the closing.
  @inline(never) private func disposeWhenComplete(
    _ kept: KeptState, after outcome: ScopeOutcome, timeLimit: Duration? = nil
  ) {
    let timeLimits = TimeLimits(each: timeLimit)
    Task(executorPreference: timeLimits.executor) { [self] in
      await kept.settle()
      guard let disposable = [kept].disposables(among: nil).first else { return }
      _ = await disposable.dispose(after: outcome, timeLimits.begin())
      noteDisposal(of: disposable.record)
    }
  }

  // MARK: - The end

  /// Reports a disposal here to the behaviors of the registration's container; to those of this
  /// container if the registration's may be gone, as a child may end before its parent scope.
  @inline(never) func noteDisposal(of record: RegistrationRecord) {
    if !Composition.isUsed { return }
    let isTold: Void? = firstOfSelfAndAncestors {
      record.isOwned(by: $0) ? $0.didDispose(of: record.key) : nil
    }
    if isTold == nil { didDispose(of: record.key) }
  }

  func letInstancesGo() {
    if let cells = table.cells {
      if closingState.isAlone { cells.emptyAlone() } else { cells.empty() }
    }
    Reclamation.reclaim()
  }

  /// Ends a closing that has claimed the container's state.
  private func end(_ closing: Unmanaged<Closing>, with versions: EndingVersions? = nil) {
    unsafe closing._withUnsafeGuaranteedRef { $0.markFinished() }
    noteEndOfScope()
    let areVersionsAwaited = unsafe versions?.finish(closing) ?? false
    if closingState.finish() || areVersionsAwaited {
      unsafe closing._withUnsafeGuaranteedRef { WaitForGraph.end($0) }
    }
    unsafe Closing.letGo(closing)
  }
}

extension Place {
  /// Whether waiting for the instance, or the disposal, takes a task.
  fileprivate func requiresTask(toEnd record: RegistrationRecord) -> Bool {
    if isBuilding { return record.isAsynchronous || record.hasAsynchronousDisposers }
    return record.hasAsynchronousDisposers && isBuilt
  }
}
