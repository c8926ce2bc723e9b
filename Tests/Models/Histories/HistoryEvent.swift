// SPDX-License-Identifier: MIT

public import TestSupport

/// One operation of a history: what it was, what came of it, and when it ran.
public struct HistoryEvent: Sendable {
  public let operation: HistoryScript.Operation
  /// The index of the thread; `nil` for the prelude.
  public let thread: Int?
  public let outcome: Outcome
  /// When it began and ended, counted by a clock that all threads share.
  public let time: Range<Int>

  public init(
    _ operation: HistoryScript.Operation, thread: Int?, _ outcome: Outcome, time: Range<Int>
  ) {
    self.operation = operation
    self.thread = thread
    self.outcome = outcome
    self.time = time
  }

  public enum Outcome: Sendable {
    /// `register`, `override`: whether it was accepted. `unregister`, `release`, `contains`: what
    /// it returned.
    case answer(Bool)
    /// What a resolve found, `nil` when nothing was registered.
    case instance(HistoryInstance?)
    /// What no operation may come to.
    case unexpected(String)
  }
}

/// An instance that knows which registration has built it.
public final class HistoryInstance: Tracked, @unchecked Sendable {
  // SAFETY: both properties are constant.
  public let registration: Int
  /// Different for each instance of a history, from 1.
  public let number: Int

  public init(_ tracker: LifetimeTracker, registration: Int, number: Int) {
    self.registration = registration
    self.number = number
    super.init(tracker)
  }
}
