// SPDX-License-Identifier: MIT

/// A caller that waits for the end of a closing: a thread on a latch, or a suspended task.
///
/// All properties are only touched with the mutex of the wait-for graph held, or by the caller
/// before the beginning and after the end of the wait.
// SAFETY: see above.
final class ClosingWait: @unchecked Sendable {
  enum Outcome {
    /// The closing is over.
    case over
    /// The closing waits for the caller.
    case enclosing
    /// A task carries the closing out, which a thread must not be blocked for.
    case asynchronous
  }

  let context = ClosingContext.current
  private(set) var target: Closing?
  private(set) var outcome = Outcome.over
  private var latch: Latch?
  private var continuation: CheckedContinuation<Void, Never>?

  /// Whether a thread is blocked.
  var isSynchronous: Bool { latch != nil }

  /// - Parameter latch: a thread's latch; `nil` for a task.
  init(on latch: Latch? = nil) {
    self.latch = latch
  }

  deinit { HeldLocks.assertNone(ClosingWait.self) }

  func begin(for target: Closing, in continuation: CheckedContinuation<Void, Never>?) {
    self.continuation = continuation
    self.target = target
    target.waits.append(self)
  }

  /// Takes the wait out of the graph; ``resume()`` is then due, with the mutex given up.
  func end(_ outcome: Outcome) {
    self.outcome = outcome
    target?.waits.removeAll { $0 === self }
    target = nil
  }

  /// Lets the caller go on. The mutex is not held: a task's executor may be the user's.
  func resume() {
    if let latch {
      latch.open()
    } else {
      continuation?.resume()
    }
  }
}

/// The closings and constructions around a thread or task, none of which ends before it goes on.
struct ClosingContext {
  private let members: [AnyObject]

  /// The context of the calling thread or task.
  static var current: ClosingContext {
    let contexts = ResolutionContext.blockedChain(
      of: ResolutionContext.innermost(requestedBy: nil))
    return ClosingContext(
      members: DisposalContext.enclosing + contexts.compactMap(\.asConstruction))
  }

  var isEmpty: Bool { members.isEmpty }

  /// Whether a reload may wait for the caller. Reloads never wait for earlier reloads' disposals.
  var isAwaitedByReloads: Bool {
    members.contains { ($0 as? ReloadDisposal)?.isPartOfReload ?? true }
  }

  func contains(_ object: AnyObject) -> Bool { members.contains { $0 === object } }
}
