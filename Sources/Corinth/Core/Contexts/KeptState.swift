// SPDX-License-Identifier: MIT

/// The place of an instance found by a closing, and the registration. No construction begins there.
struct KeptState: Sendable {
  let record: RegistrationRecord
  private let state: InstanceState
  /// The disposers known now: a closing that awaits nothing must not meet a later asynchronous one.
  let disposers: [Disposer]
  /// The state of an instance under construction at that time, if any.
  let stateUnderConstruction: InstanceState?

  /// Seals the state.
  init(_ record: RegistrationRecord, _ state: InstanceState) {
    (self.record, self.state) = (record, state)
    disposers = record.disposers
    stateUnderConstruction = state.seal() ? nil : state
  }

  /// - Parameter box: from a sealed cell, or taken out of a state.
  init(_ record: RegistrationRecord, _ box: AnyInstanceBox) {
    self.init(record, InstanceState(box))
  }

  /// Whether nothing is under construction, or will be.
  var isSettled: Bool { stateUnderConstruction?.seal() ?? true }

  /// The instance, if there is one. Not for a weak one.
  var box: AnyInstanceBox? { state.builtBox }

  /// Whether the construction of the instance may have noted dependencies.
  var mayHaveNotes: Bool {
    if stateUnderConstruction != nil { return true }
    return record.policy.box.isStrong && box.map { $0.notes != nil || $0.isUnnoted } ?? false
  }

  /// Lets the caller account for the ``disposable``, if any: see ``InstanceState/claimEnd()``.
  func claimEnd() -> Bool {
    disposers.isEmpty ? false : state.claimEnd()
  }
}
