// SPDX-License-Identifier: MIT

internal import Synchronization

/// How long an instance of a time-limited singleton is fresh.
final class Lease: Sendable {
  private let policy: CachePolicy
  private let end: Duration
  private let refreshing = Atomic<Bool>(false)

  /// Begins now.
  init(_ policy: CachePolicy) {
    self.policy = policy
    end = policy.clock.now() + policy.lifetime
  }

  var isExpired: Bool { policy.clock.now() >= end }

  /// Makes the caller the one who refreshes, unless somebody else is doing so.
  func beginRefresh() -> Bool {
    !refreshing.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// After a refresh that has failed: the next caller may try.
  func abandonRefresh() {
    refreshing.store(false, ordering: .releasing)
  }
}

/// How long the instances of a time-limited singleton are kept, and what happens then.
struct CachePolicy: Sendable, Hashable {
  let lifetime: Duration
  /// Whether others get the old instance while it is being replaced.
  let servesOldInstance: Bool
  let clock: MonotonicClock
}

/// Tells the time since some moment in the past; never runs backwards.
package final class MonotonicClock: Sendable {
  let now: @Sendable () -> Duration

  package init(_ now: @escaping @Sendable () -> Duration) {
    self.now = now
  }

  /// Time that passes while the machine sleeps counts.
  static let continuous: MonotonicClock = {
    let start = ContinuousClock.now
    return MonotonicClock { start.duration(to: .now) }
  }()
}

extension MonotonicClock: Hashable {
  package static func == (left: MonotonicClock, right: MonotonicClock) -> Bool {
    left === right
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
