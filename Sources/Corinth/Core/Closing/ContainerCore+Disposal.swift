// SPDX-License-Identifier: MIT

/// The end of a registration's instances, in an open container.
extension ContainerCore {
  /// Releases the stored instances of the key's registration, and disposes of them.
  ///
  /// - Returns: whether instances existed, or were being built.
  nonisolated(nonsending)
    func disposeOfInstances(
      of key: RegistrationKey, timeLimits: TimeLimits
    ) async throws(CloseError) -> Bool
  {
    let (record, wasReleased) = takeInstances(of: key)
    guard let record else { return wasReleased }
    try await dispose(of: record, timeLimits)
    return true
  }

  /// As ``releaseInstance(of:)``, for these arguments alone.
  func releaseInstance(of key: RegistrationKey, for arguments: AnyArguments) -> Bool {
    let taken = takeInstances(of: key, for: arguments, .dropped)
    UndisposedReports.report(
      .released, of: self, taken.filter { $0.claimEnd() }.map(\.record.dropped))
    return !taken.isEmpty
  }

  /// As ``disposeOfInstances(of:timeLimits:)``, for these arguments alone.
  nonisolated(nonsending)
    func disposeOfInstances(
      of key: RegistrationKey, for arguments: AnyArguments, timeLimits: TimeLimits
    ) async throws(CloseError) -> Bool
  {
    let taken = takeInstances(of: key, for: arguments, .taken)
    if taken.isEmpty { return false }
    try await dispose(of: taken, of: key, timeLimits)
    return true
  }

  private func takeInstances(
    of key: RegistrationKey, for arguments: AnyArguments, _ mark: ReleaseMark
  ) -> [KeptState] {
    guard let slot = table.find(key), let record = slot.registration else { return [] }
    let taken = [KeptState](takenFrom: record, for: arguments, mark)
    if taken.contains(where: \.mayHaveNotes) {
      // Dependents may hold the instance, whose notes are gone.
      table.withWriterLock { _ = extras.replacedSlots.insert(slot) }
    }
    return taken
  }

  /// Releases the stored instances of several keys, to be disposed of by the caller.
  ///
  /// - Parameter keys: dependencies come before their dependents: an instance built again meanwhile
  ///   is built from new instances, or is taken too.
  func takeInstances(of keys: [RegistrationKey]) -> TakenInstances {
    let registrations =
      DeferredDependencies.mayExist(in: self) ? EndingRegistrations(of: self) : nil
    let taken = keys.compactMap { key in
      takeInstances(of: key).0.map { ($0, [KeptState](takenFrom: $0)) }
    }
    return TakenInstances(of: self, among: registrations, taken.map(\.0), taken.flatMap(\.1))
  }

  /// Seals the container, which is then closed, and takes all instances for the caller's disposal.
  func takeInstancesBeforeClosing() -> TakenInstances {
    let registrations =
      DeferredDependencies.mayExist(in: self) ? EndingRegistrations(of: self) : nil
    _ = sealForDisposal()
    return TakenInstances(of: self, among: registrations, [], takeKeptStates())
  }

  /// Disposes of the instances of a registration no longer held by its slot.
  nonisolated(nonsending)
    func dispose(
      of record: RegistrationRecord, _ timeLimits: TimeLimits
    ) async throws(CloseError)
  {
    guard record.forms.contains(where: \.hasDisposers) else { return drop([record], .released) }
    // Sealed, the states build no more instances: a resolve with the old registration goes on with
    // the registration in the slot.
    try await dispose(of: [KeptState](takenFrom: record), of: record.key, timeLimits)
  }

  nonisolated(nonsending)
    private func dispose(
      of kept: [KeptState], of key: RegistrationKey, _ timeLimits: TimeLimits
    ) async throws(CloseError)
  {
    let context = ResolutionContext.runningInTask
    // A task of its own: the caller's cancellation does not reach the disposers.
    let failures = await Task(executorPreference: timeLimits.executor) { [self] in
      await ResolutionContext.continuing(context) {
        await disposeOfInstances(kept, of: key, timeLimits.begin())
      }
    }.value
    if !failures.isEmpty { throw .disposalFailed(failures) }
  }

  /// Closes the container.
  ///
  /// - Returns: the failures.
  nonisolated(nonsending)
    func closeForDisposal(
      outcome: ScopeOutcome = .completed, timeLimits: TimeLimits
    ) async -> [DisposalFailure]
  {
    do throws(CloseError) {
      try await close(outcome: outcome, timeLimits: timeLimits)
      return []
    } catch {
      guard case .disposalFailed(let failures) = error else { return [] }
      return failures
    }
  }

  /// Disposes of instances that a registration without a slot may still build. The caller has left:
  /// a factory may finish despite its cancellation.
  func disposeLater(of record: RegistrationRecord) {
    guard record.forms.contains(where: \.hasDisposers) else { return drop([record], .removed) }
    Task { try? await dispose(of: record, .none) }
  }

  private func disposeOfInstances(
    _ kept: [KeptState], of key: RegistrationKey, _ timeLimits: RunningTimeLimits
  ) async -> [DisposalFailure] {
    var failures: [DisposalFailure] = []
    let disposables = await settle(kept, timeLimits, after: .completed, &failures)
      .disposables(among: nil)
    for disposable in disposables {
      failures += await disposable.dispose(after: .completed, timeLimits)
    }
    if !disposables.isEmpty { didDispose(of: key) }
    return failures
  }
}

/// Instances of a container, taken out of all slots.
final class TakenInstances: TakenForDisposal {
  let container: ContainerCore
  private let registrations: EndingRegistrations?
  private let records: [RegistrationRecord]
  let kept: [KeptState]

  fileprivate init(
    of container: ContainerCore, among registrations: EndingRegistrations?,
    _ records: [RegistrationRecord], _ kept: [KeptState]
  ) {
    (self.container, self.registrations) = (container, registrations)
    (self.records, self.kept) = (records, kept)
  }

  /// Disposes of the instances in a closing's order, as far as the end does not take them over.
  ///
  /// - Parameters:
  ///   - isNoted: whether the end of the base may wait for the steps: not for a reload's own steps.
  ///   - outcome: the outcome of the reload.
  func dispose(
    for disposals: DisposalsOfReloads, isNoted: Bool, after outcome: ScopeOutcome = .completed,
    _ timeLimits: TimeLimits
  ) async -> [DisposalFailure] {
    var failures: [DisposalFailure] = []
    let running = timeLimits.begin()
    if isNoted, let state = kept.first(where: { !$0.isSettled }) {
      disposals.note(.init(state.record, isConstruction: true))
    }
    let settled = await container.settle(kept, running, after: outcome, &failures)
    for disposable in settled.unclaimedDisposables(among: registrations)
    where disposals.mayDispose(from: self, { disposable.box.claimEnd() }) {
      if isNoted { disposals.note(.init(disposable.record, isConstruction: false)) }
      failures += await disposable.dispose(after: outcome, running)
      container.noteDisposal(of: disposable.record)
    }
    if disposals.finish(self) { letGo() }
    return failures
  }

  func letGo() {
    // An instance not waited for is disposed of at the end of its construction, perhaps already
    // over: a report would claim the instance.
    let built = kept.filter { $0.stateUnderConstruction != nil }.map(\.record)
    let others = records.filter { record in
      !record.forms.contains { form in built.contains { $0 === form } }
    }
    container.drop(others, .released)
  }
}

extension DisposalStep.Place {
  fileprivate init(_ record: RegistrationRecord, isConstruction: Bool) {
    self.init(key: record.key, location: record.location, isConstruction: isConstruction)
  }
}
