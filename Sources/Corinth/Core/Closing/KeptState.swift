// SPDX-License-Identifier: MIT

/// The state of an instance that is to be disposed of, with its registration. No construction begins in it any more.
struct KeptState: Sendable {
  let record: RegistrationRecord
  let state: InstanceState
  /// Those that are known now: what awaits nothing must not come to an asynchronous one that is added meanwhile.
  let disposers: [Disposer]
  /// Whether an instance was being built then.
  let isUnderConstruction: Bool

  /// Seals the state.
  init(_ record: RegistrationRecord, _ state: InstanceState) {
    self.record = record
    self.state = state
    disposers = record.disposers
    isUnderConstruction = !state.seal()
  }

  /// Whether only a task can wait for the instance and dispose of it.
  var requiresTask: Bool {
    let awaits = disposers.contains(where: \.isAsynchronous)
    return isUnderConstruction ? record.isAsynchronous || awaits : awaits && disposable != nil
  }

  /// The instance, if there is one and it has disposers.
  var disposable: Disposable? {
    guard !disposers.isEmpty, case .built(let box) = state.current else {
      return nil
    }
    // SAFETY: singletons and scoped instances are kept in boxes of this class, for as long as their state.
    let object = unsafe box.takeUnretainedValue()
    return Disposable(
      record: record, disposers: disposers,
      box: unsafe unsafeDowncast(object, to: AnyInstanceBox.self))
  }
}

extension RegistrationRecord {
  /// Seals the states of its instances, and of those of its earlier forms. No slot leads to it any more.
  func takeKeptStates() -> [KeptState] {
    forms.filter(\.policy.endsWithContainer).flatMap { form in
      form.sealInstances().map { KeptState(form, $0) }
    }
  }
}

/// An instance that is to be disposed of.
struct Disposable: Sendable {
  let record: RegistrationRecord
  fileprivate let disposers: [Disposer]
  fileprivate let box: AnyInstanceBox

  /// Runs the disposers on the calling thread, the one added last first. None is asynchronous.
  func disposeOnThread(after outcome: ScopeOutcome, _ failures: inout [DisposalFailure]) {
    for case .synchronous(let action) in disposers.reversed() {
      do { try action(box.undecorated, outcome) } catch {
        failures.append(DisposalFailure(record, error))
      }
    }
  }

  /// Runs the disposers, the one added last first.
  func dispose(
    after outcome: ScopeOutcome, _ timeLimits: RunningTimeLimits
  ) async -> [DisposalFailure] {
    var failures: [DisposalFailure] = []
    for disposer in disposers.reversed() {
      do {
        let result = await withTimeLimit(try timeLimits.next()) { [box] in
          try await disposer.run(box.undecorated, outcome)
        }
        try result.get()
      } catch {
        failures.append(DisposalFailure(record, error))
      }
    }
    return failures
  }
}

extension [KeptState] {
  /// The instances to dispose of, the one completed last first. The caller answers for their end.
  var disposables: [Disposable] {
    var found: [Disposable] = []
    for each in self {
      if let disposable = each.disposable, disposable.box.claimEnd() { found.append(disposable) }
    }
    // Most request scopes have one, and sorting an array costs as much as making it.
    // One without a number was built before its first disposer came, after all that it depends on: it counts as the last.
    if found.count > 1 { found.sort { $0.box.completion &- 1 > $1.box.completion &- 1 } }
    return found
  }
}

extension Disposer {
  fileprivate func run(_ box: AnyInstanceBox, _ outcome: ScopeOutcome) async throws {
    switch self {
    case .synchronous(let action): try action(box, outcome)
    case .asynchronous(let action): try await action(box, outcome)
    }
  }
}
