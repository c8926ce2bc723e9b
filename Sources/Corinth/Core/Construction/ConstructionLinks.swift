// SPDX-License-Identifier: MIT

/// What the wait-for graph knows of one construction. Only touched with its mutex held.
///
/// Most constructions have none: nobody waits for them.
final class ConstructionLinks {
  /// Those who wait for it. Any number of tasks may, and each may leave alone.
  var waiters: [ObjectIdentifier: Wait] = [:]
  /// The waits of resolves inside of it.
  var waits: [Wait] = []
  /// Its instance, once it may be lent to resolutions that it could otherwise never be a part of: while
  /// its afterInit actions run, and until the constructions that it borrowed from are complete.
  var lendable: AnyInstanceBox?
  /// The constructions whose instance was lent to it.
  var borrowedFrom: [Construction] = []
  /// Its own work is done, or has failed.
  var outcome: Outcome = .pending
  /// What is left to do once all that it borrowed from is complete, or has failed.
  var settle: (@Sendable (_ isComplete: Bool) -> Void)?
  /// The construction, around this one, that an action needs the instance of.
  var blocker: Construction?
  /// The construction that this one's actions have been put off for.
  var postponedUntil: Construction?
  /// Actions of constructions inside of this one, to run when its factory has returned.
  var postponed: [PostponedActions] = []
  /// Nothing can be put off until its end any more.
  var hasEnded = false
  /// What builds, when that is a task.
  var task: Task<Void, Never>?
  /// The priority of the most urgent waiter, until there is a task to have it.
  var priority: TaskPriority?
  /// All who waited have left.
  var isAbandoned = false

  enum Outcome {
    case pending
    case succeeded
    case failed
  }
}

/// The afterInit actions of a construction from one of them on, put off.
struct PostponedActions: Sendable {
  let construction: Construction
  let record: RegistrationRecord
  let place: InstancePlace
  let box: AnyInstanceBox
  let firstAction: Int

  var areAsynchronous: Bool {
    record.lifecycle.afterInit.dropFirst(firstAction).contains(where: \.isAsynchronous)
  }
}
