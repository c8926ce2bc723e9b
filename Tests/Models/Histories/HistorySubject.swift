// SPDX-License-Identifier: MIT

import TestSupport

/// What a history is made on.
public protocol HistorySubject: Sendable {
  /// Does one operation. Called from several threads at once.
  func perform(_ operation: HistoryScript.Operation) -> HistoryEvent.Outcome

  /// How many instances its factories have built.
  var built: Int { get }
}

/// The factories of one history.
final class HistoryFactories: Sendable {
  private let tracker: LifetimeTracker
  private let built = AtomicCounter()

  init(_ tracker: LifetimeTracker) {
    self.tracker = tracker
  }

  var count: Int { built.value }

  func build(_ registration: Int, _ pause: HistoryScript.Pause) -> HistoryInstance {
    pause.take()
    return HistoryInstance(tracker, registration: registration, number: built.add())
  }
}
