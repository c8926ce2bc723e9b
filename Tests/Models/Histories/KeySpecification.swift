// SPDX-License-Identifier: MIT

/// What a container promises for one key, were all operations done one after the other.
///
/// The state is the current registration and its instance, if it has one by now.
///
/// | operation | answers | changes |
/// |---|---|---|
/// | `register` | whether nothing was registered | if so: this registration, without an instance |
/// | `override` | whether nothing was, or an override | if so: this one, without an instance |
/// | `unregister` | whether something was registered | nothing is |
/// | `contains` | whether something is registered | |
/// | `resolve`, nothing registered | nothing | |
/// | `resolve`, transient | an instance of the registration that was never seen before | |
/// | `resolve`, shared | the instance | if there was none: one never seen before |
/// | `release` | whether the registration had an instance | it has none |
///
/// A history is linearizable when each operation can be given a moment between its start and its
/// end such that the operations, in the order of these moments, do what the table says. So a
/// resolve that races an override may return an instance of either registration, but not one of a
/// registration that had been replaced before it began. A resolve that races a release may return
/// the instance that is let go of, even if it builds it only then: the release counts as the later
/// of the two, and answers that there was an instance. All resolves that begin after a release has
/// ended share a new instance.
///
/// Between two changes of the state no two resolves get different instances of a shared
/// registration; that a factory does not run in vain is for ``HistoryVerdict`` to see.
struct KeySpecification {
  struct State: Hashable {
    /// The number of the current registration, 0 for none.
    var registration = 0
    /// The number of its instance, 0 for none.
    var instance = 0
  }

  private let registrations: [Int: (isShared: Bool, isOverridable: Bool)]

  init(_ events: [HistoryEvent]) {
    var registrations: [Int: (isShared: Bool, isOverridable: Bool)] = [:]
    for event in events {
      switch event.operation.kind {
      case .register(let made):
        registrations[made.number] = (made.lifetime.isShared, false)
      case .override(let made):
        registrations[made.number] = (made.lifetime.isShared, true)
      default: break
      }
    }
    self.registrations = registrations
  }

  /// The state after an operation, `nil` if it would have come to something else.
  ///
  /// - Parameter isNew: whether no operation before this one has returned its instance.
  func next(_ state: State, _ event: HistoryEvent, isNew: Bool) -> State? {
    let isRegistered = state.registration != 0
    switch (event.operation.kind, event.outcome) {
    case (.register(let made), .answer(let isAccepted)):
      guard isAccepted == !isRegistered else { return nil }
      return isAccepted ? State(registration: made.number) : state
    case (.override(let made), .answer(let isAccepted)):
      let mayOverride = registrations[state.registration]?.isOverridable ?? true
      guard isAccepted == mayOverride else { return nil }
      return isAccepted ? State(registration: made.number) : state
    case (.unregister, .answer(let wasRegistered)):
      return wasRegistered == isRegistered ? State() : nil
    case (.contains, .answer(let contains)):
      return contains == isRegistered ? state : nil
    case (.release, .answer(let hadInstance)):
      guard hadInstance == (state.instance != 0) else { return nil }
      return State(registration: state.registration)
    case (.resolve, .instance(let found)):
      guard let found else { return isRegistered ? nil : state }
      return next(state, found, isNew: isNew)
    default:
      return nil
    }
  }

  private func next(_ state: State, _ found: HistoryInstance, isNew: Bool) -> State? {
    guard found.registration == state.registration else { return nil }
    if registrations[state.registration]?.isShared != true { return isNew ? state : nil }
    if state.instance == found.number { return state }
    guard state.instance == 0, isNew else { return nil }
    return State(registration: state.registration, instance: found.number)
  }
}
