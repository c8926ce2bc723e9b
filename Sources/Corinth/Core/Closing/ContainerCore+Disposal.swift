// SPDX-License-Identifier: MIT

/// The end of one registration's instances, in an open container.
extension ContainerCore {
  /// Releases the stored instances of the key's registration, and disposes of them.
  ///
  /// - Returns: whether there were any, or some were being built.
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

  /// Releases the stored instances of several keys, whose disposal is the caller's.
  ///
  /// - Parameter keys: dependencies come before their dependents: what is built again meanwhile is built from new
  /// instances, or is   among those that are taken.
  func takeInstances(of keys: [RegistrationKey]) -> TakenInstances {
    TakenInstances(
      of: self, among: mayHaveDeferredDependencies ? EndingRegistrations(of: self) : nil,
      keys.compactMap { key in
        takeInstances(of: key).0.map { ($0, $0.takeKeptStates()) }
      })
  }

  /// Disposes of the instances of a registration that its slot does not hold any more.
  nonisolated(nonsending)
    func dispose(
      of record: RegistrationRecord, _ timeLimits: TimeLimits
    ) async throws(CloseError)
  {
    guard record.forms.contains(where: \.hasDisposers) else { return drop([record], .released) }
    let context = ResolutionContext.runningInTask
    // A task of its own: the caller's cancellation does not reach the disposers.
    let failures = await Task(executorPreference: timeLimits.executor) { [self] in
      await ResolutionContext.continuing(context) {
        await disposeOfInstances(of: record, timeLimits.begin())
      }
    }.value
    if !failures.isEmpty { throw .disposalFailed(failures) }
  }

  /// Disposes of what a registration that no slot will hold may still build. Its caller has left: a factory may finish
  /// although it was cancelled.
  func disposeLater(of record: RegistrationRecord) {
    guard record.forms.contains(where: \.hasDisposers) else { return drop([record], .removed) }
    Task { try? await dispose(of: record, .none) }
  }

  /// Sealed, the instances are built no more: a resolve that has found this registration goes on with the one in its
  /// slot.
  private func disposeOfInstances(
    of record: RegistrationRecord, _ timeLimits: RunningTimeLimits
  ) async -> [DisposalFailure] {
    var failures: [DisposalFailure] = []
    let disposables = await settle(
      record.takeKeptStates(), timeLimits, after: .completed, &failures
    ).disposables(among: nil)
    for disposable in disposables {
      failures += await disposable.dispose(after: .completed, timeLimits)
    }
    if !disposables.isEmpty { didDispose(of: record.key) }
    return failures
  }
}

/// Instances of an open container that no slot of it holds any more.
struct TakenInstances: LeftInstances {
  let container: ContainerCore
  private let registrations: EndingRegistrations?
  private let records: [RegistrationRecord]
  let kept: [KeptState]

  fileprivate init(
    of container: ContainerCore, among registrations: EndingRegistrations?,
    _ taken: [(record: RegistrationRecord, kept: [KeptState])]
  ) {
    (self.container, self.registrations) = (container, registrations)
    (records, kept) = (taken.map(\.record), taken.flatMap(\.kept))
  }

  /// Disposes of them in the order in which a closing would.
  ///
  /// - Parameter versions: get to know what is waited for.
  func dispose(
    for versions: ContainerVersions, _ timeLimits: TimeLimits
  ) async -> [DisposalFailure] {
    var failures: [DisposalFailure] = []
    let running = timeLimits.begin()
    if let state = kept.first(where: { !$0.isSettled }) {
      versions.noteDisposal(at: state.record.disposalPlace(isConstruction: true))
    }
    let settled = await container.settle(kept, running, after: .completed, &failures)
    for disposable in settled.disposables(among: registrations) {
      versions.noteDisposal(at: disposable.record.disposalPlace())
      failures += await disposable.dispose(after: .completed, running)
      disposable.record.noteDisposal()
    }
    letGo()
    return failures
  }

  /// Lets go of what has been disposed of.
  func letGo() { container.drop(records, .released) }
}

extension ContainerCore {
  /// One of the instances that a closing of this container waits for.
  var firstDisposalPlace: DisposalStep.Place? {
    instancesStillOpen.first.map { $0.disposalPlace(isConstruction: $1) }
  }
}

extension RegistrationRecord {
  fileprivate func disposalPlace(isConstruction: Bool = false) -> DisposalStep.Place {
    .init(key: key, location: location, isConstruction: isConstruction)
  }
}
