// SPDX-License-Identifier: MIT

import Corinth

/// Counts instances, to find instances that are never deinitialized.
///
/// A class is counted by inheriting from ``Tracked`` or by holding one.
public final class LifetimeTracker: Sendable {
  private let createdCount = AtomicCounter()
  private let aliveCount = AtomicCounter()

  public init() {}

  /// How many instances have been created so far.
  public var created: Int { createdCount.value }

  /// How many of these have not been deinitialized.
  public var alive: Int { aliveCount.value }

  /// How many instances remain after the destruction of all replaced objects that no section sees.
  ///
  /// A replaced object waits for a barrier, which the object shares with others while barriers take
  /// long: on a busy machine, ``alive`` counts instances behind such an object for milliseconds.
  public var left: Int {
    reclaimWhatIsFree()
    return alive
  }

  public func make() -> Tracked { Tracked(self) }

  /// Waits until none is left, for ``hangLimit`` at most.
  ///
  /// A task that has built an instance releases the instance a moment after the waiters have got
  /// the instance, and no event marks the moment. Other tests may run at the same time, in sections
  /// that hold back replaced objects.
  public func waitUntilNoneIsLeft() async {
    await waitUntil {
      reclaimWhatIsFree()
      return alive == 0
    }
  }

  fileprivate func instanceBegan() -> Int {
    aliveCount.add()
    return createdCount.add()
  }

  fileprivate func instanceEnded() {
    aliveCount.add(-1)
  }
}

/// An instance counted by a ``LifetimeTracker``.
open class Tracked: @unchecked Sendable {
  // SAFETY: both properties are constant and Sendable; subclasses answer for their properties.
  private let tracker: LifetimeTracker
  /// Numbers the instances of one tracker, from 1.
  public let serial: Int

  public init(_ tracker: LifetimeTracker) {
    self.tracker = tracker
    serial = tracker.instanceBegan()
  }

  deinit {
    tracker.instanceEnded()
  }
}

/// A tracked instance whose deinit does something.
public final class Parting: Tracked, @unchecked Sendable {
  private let part: @Sendable () -> Void

  public init(_ tracker: LifetimeTracker, _ part: @escaping @Sendable () -> Void) {
    self.part = part
    super.init(tracker)
  }

  deinit { part() }
}
