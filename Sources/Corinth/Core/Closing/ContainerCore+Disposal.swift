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

  /// Disposes of the instances of several keys, in the order of a closing.
  func disposeOfInstances(
    of keys: [RegistrationKey], timeLimits: TimeLimits
  ) async -> [DisposalFailure] {
    let registrations = mayHaveDeferredDependencies ? EndingRegistrations(of: self) : nil
    let records = keys.compactMap { takeInstances(of: $0).0 }
    var failures: [DisposalFailure] = []
    let running = timeLimits.begin()
    let settled = await settle(
      records.flatMap { $0.takeKeptStates() }, running, after: .completed, &failures)
    failures += await settled.dispose(among: registrations, after: .completed, running)
    drop(records, .released)
    return failures
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
