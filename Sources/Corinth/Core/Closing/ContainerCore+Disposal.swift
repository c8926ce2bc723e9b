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

  /// Disposes of the instances of a registration that its slot does not hold any more.
  nonisolated(nonsending)
    func dispose(
      of record: RegistrationRecord, _ timeLimits: TimeLimits
    ) async throws(CloseError)
  {
    if record.lifecycle.disposers.isEmpty { return }
    let context = ResolutionContext.runningInTask
    // A task of its own: the caller's cancellation does not reach the disposers.
    let failures = await Task {
      await ResolutionContext.continuing(context) {
        let failures = await record.disposeOfInstances(timeLimits.begin())
        didDispose(of: record.key)
        return failures
      }
    }.value
    if !failures.isEmpty { throw .disposalFailed(failures) }
  }

  /// Disposes of what a registration that no slot will hold may still build. Its caller has left: a factory may finish
  /// although it was cancelled.
  func disposeLater(of record: RegistrationRecord) {
    if record.lifecycle.disposers.isEmpty { return }
    Task { try? await dispose(of: record, .none) }
  }
}

extension RegistrationRecord {
  fileprivate func disposeOfInstances(_ timeLimits: RunningTimeLimits) async -> [DisposalFailure] {
    var failures: [DisposalFailure] = []
    let kept = instances.map { KeptState(of: self, in: $0) }
    let begin = ContinuousClock.now
    for each in kept where each.isUnderConstruction {
      if case .failure(let error) = await each.settle(timeLimits, since: begin) {
        failures.append(DisposalFailure(self, error))
      }
    }
    for disposable in kept.disposables {
      failures += await disposable.dispose(after: .completed, timeLimits)
    }
    return failures
  }
}
