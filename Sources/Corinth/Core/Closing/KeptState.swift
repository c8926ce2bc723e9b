// SPDX-License-Identifier: MIT

/// The state of an instance that is to be disposed of, with its registration. No construction begins in it any more.
struct KeptState: Sendable {
  let record: RegistrationRecord
  let state: InstanceState
  /// Whether an instance was being built then.
  let isUnderConstruction: Bool

  /// Seals the state.
  init(_ record: RegistrationRecord, _ state: InstanceState) {
    self.record = record
    self.state = state
    isUnderConstruction = !state.seal()
  }

  /// Whether only a task can wait for the instance and dispose of it.
  var requiresTask: Bool {
    isUnderConstruction
      ? record.isAsynchronous || record.hasAsynchronousDisposers
      : record.hasAsynchronousDisposers && disposable != nil
  }

  /// The instance, if there is one and it has disposers.
  var disposable: Disposable? {
    guard !record.disposers.isEmpty, case .built(let box) = state.current else {
      return nil
    }
    // SAFETY: singletons and scoped instances are kept in boxes of this class, for as long as their state.
    let object = unsafe box.takeUnretainedValue()
    return Disposable(record: record, box: unsafe unsafeDowncast(object, to: AnyInstanceBox.self))
  }
}

/// An instance that is to be disposed of.
struct Disposable: Sendable {
  let record: RegistrationRecord
  fileprivate let box: AnyInstanceBox

  /// Runs the disposers on the calling thread, the one added last first. None is asynchronous.
  func disposeOnThread(after outcome: ScopeOutcome, _ failures: inout [DisposalFailure]) {
    for case .synchronous(let action) in record.disposers.reversed() {
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
    for disposer in record.disposers.reversed() {
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
    if found.count > 1 { found.sort { $0.box.completion > $1.box.completion } }
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
