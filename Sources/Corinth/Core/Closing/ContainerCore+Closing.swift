// SPDX-License-Identifier: MIT

/// The end of a container: what it keeps is disposed of in the reverse order of completion.
extension ContainerCore {
  /// One instance that is to be disposed of.
  struct Disposable: Sendable {
    let record: RegistrationRecord
    let box: AnyInstanceBox
  }

  /// The states that may hold something to dispose of, each with its registration.
  typealias KeptState = (record: RegistrationRecord, state: InstanceState)

  /// Whether there is more to do than to let the `.scoped` instances go.
  private var requiresDisposal: Bool { hasSlots || instances.requiresDisposal }

  /// The keys of what only an asynchronous closing can dispose of, or wait for.
  ///
  /// - Parameter mayBlock: whether the caller may wait on its thread for what another thread is building.
  func asynchronousKeys(mayBlock: Bool) -> [RegistrationKey] {
    if !requiresDisposal { return [] }
    var keys: [RegistrationKey] = []
    func look(at record: RegistrationRecord, _ states: [InstanceState]) {
      let needsAwait = states.contains { state in
        switch state.current {
        case .built: record.lifecycle.hasAsynchronousDisposers
        case .building:
          record.isAsynchronous || !mayBlock || record.lifecycle.hasAsynchronousDisposers
        case .empty, .sealed: false
        }
      }
      if needsAwait { keys.append(record.key) }
    }
    instances.forEachEntry { look(at: $0.record, [$0]) }
    forEachRegistration { record in
      if !record.lifecycle.disposers.isEmpty { look(at: record, record.instances) }
    }
    return keys
  }

  /// Takes all registrations and kept instances out, and keeps further ones from being built.
  ///
  /// - Returns: what has to be disposed of, some of it perhaps still being built.
  func takeKeptStates() -> [KeptState] {
    var kept: [KeptState] = []
    instances.seal()
    instances.forEachEntry { entry in
      kept.append((entry.record, entry))
    }
    for record in takeRegistrations() where record.policy.endsWithContainer {
      kept += record.sealInstances().map { (record, $0) }
    }
    return kept
  }

  /// The instances that there are in these states, the one completed last first.
  static func disposables(in kept: [KeptState]) -> [Disposable] {
    let disposables = kept.compactMap { record, state in
      guard !record.lifecycle.disposers.isEmpty, case .built(let box) = state.current else {
        return nil as Disposable?
      }
      // SAFETY: singletons and scoped instances are kept in boxes of this class, for as long as their state.
      let object = unsafe box.takeUnretainedValue()
      return Disposable(
        record: record, box: unsafe unsafeDowncast(object, to: AnyInstanceBox.self))
    }
    return disposables.sorted { $0.box.completion > $1.box.completion }
  }

  /// Closes a container that keeps nothing asynchronous, and disposes of what it keeps.
  func closeSynchronously() -> [DisposalFailure] {
    guard markClosed() else { return [] }
    instances.seal()
    if !requiresDisposal {
      instances.close()
      return []
    }
    let kept = takeKeptStates()
    for (_, state) in kept {
      while !state.seal() {
        // A construction that the closing is itself a part of is not waited for.
        if case .retry = WaitForGraph.wait(for: state, requestedBy: nil) { continue }
        break
      }
    }
    var failures: [DisposalFailure] = []
    for disposable in Self.disposables(in: kept) {
      if disposable.record.lifecycle.hasAsynchronousDisposers {
        // It was complete after the caller had looked for such: nobody is going to wait for it.
        Task { _ = await disposable.dispose(timeLimit: nil) }
        continue
      }
      for case .synchronous(let action) in disposable.record.lifecycle.disposers.reversed() {
        do { try action(disposable.box) } catch {
          failures.append(DisposalFailure(disposable.record, error))
        }
      }
    }
    instances.close()
    Reclamation.reclaim()
    return failures
  }
}
