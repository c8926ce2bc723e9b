// SPDX-License-Identifier: MIT

internal import CCorinth

/// One resolve that waits for a construction: a thread on a latch, or a suspended task.
///
/// Its properties are only touched with the mutex of the wait-for graph held, or by the one who waits before
/// it begins and after it has ended.
@safe
// SAFETY: see above.
final class Wait: @unchecked Sendable {
  /// The constructions that the waiting resolve is a part of, innermost first.
  let waiting: [Construction]
  /// The first ones of these.
  let innermost: [Construction]
  /// The closings in whose disposers the resolve waits.
  private let closings = Closing.enclosing
  /// Whether the waiting resolve is the one that began the construction: its failure is this one's.
  let isInitiator: Bool
  private(set) var target: Construction?
  private(set) var outcome: Outcome = .retry
  private(set) var isCancelled = false
  private var kept: [Construction] = []
  private var latch: OpaquePointer?
  private var continuation: UnsafeContinuation<Outcome, Never>?

  enum Outcome: Sendable {
    /// The construction ended, well or not, or has come further: look again.
    case retry
    /// Waiting would never end, but the construction's instance is there.
    case lent(AnyInstanceBox)
    /// Waiting would never end: the keys from the one wanted to one that the caller is building.
    case cycle([RegistrationKey])
    /// The waiting task was cancelled.
    case cancelled
    /// The construction that the waiting resolve began has failed.
    case failed(ResolutionError)
  }

  init(requestedBy requester: Construction?, isInitiator: Bool = false) {
    innermost = Construction.innermost(requestedBy: requester)
    waiting = Construction.unfinishedChain(of: innermost)
    self.isInitiator = isInitiator
  }

  /// Enters the wait into the graph.
  func begin(for target: Construction, on latch: OpaquePointer) {
    unsafe self.latch = latch
    enter(for: target)
  }

  /// Enters the wait into the graph.
  func begin(for target: Construction, in continuation: UnsafeContinuation<Outcome, Never>) {
    unsafe self.continuation = continuation
    enter(for: target)
  }

  private func enter(for target: Construction) {
    self.target = target
    target.links.waiters[ObjectIdentifier(self)] = self
    for construction in waiting { construction.links.waits.append(self) }
    for closing in closings { closing.resolves.append(self) }
  }

  /// Takes the wait out of the graph; ``resume()`` is then due, with the mutex given up.
  func end(_ outcome: Outcome) {
    self.outcome = outcome
    target?.links.waiters[ObjectIdentifier(self)] = nil
    for construction in waiting { construction.links.waits.removeAll { $0 === self } }
    for closing in closings { closing.resolves.removeAll { $0 === self } }
    target = nil
  }

  /// Remembers that the task was cancelled before its wait began.
  func markCancelled() {
    isCancelled = true
  }

  /// Keeps what must not be let go of with the mutex held.
  func keep(_ construction: Construction) {
    kept.append(construction)
  }

  /// Lets the one who waits go on. The mutex is not held: a task's executor may be the user's.
  func resume() {
    if let latch = unsafe latch {
      unsafe corinth_latch_open(latch)
    } else if let continuation = unsafe continuation {
      unsafe continuation.resume(returning: outcome)
    }
  }
}
