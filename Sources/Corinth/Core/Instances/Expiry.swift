// SPDX-License-Identifier: MIT

internal import Synchronization

/// The time until which a cached instance is fresh.
final class Expiry: Sendable {
  private let policy: CachePolicy
  private let end: Duration
  /// A time at or before the beginning. Notices a sleep of the machine afterwards.
  private let start: CoarseTime
  /// The nanoseconds from `start` to the end; 0 for a custom clock, or without coarse clocks.
  private let lifetime: Int64
  /// The ``RefreshClaim`` of the caller that refreshes, 0 for none.
  private let claim = Atomic<UInt>(0)

  /// Begins now.
  init(_ policy: CachePolicy) {
    self.policy = policy
    // Read before the exact time: after a sleep in between, the coarse end comes earlier.
    let coarse = policy.clock === MonotonicClock.continuous ? CoarseTime.now : nil
    start = coarse ?? CoarseTime(monotonic: 0, wall: 0)
    lifetime = coarse == nil ? 0 : Int64(clamping: policy.lifetime.wholeNanoseconds)
    end = policy.clock.now() + policy.lifetime
  }

  /// `false` if only the exact clock can tell, which takes several times as long to read.
  @inline(__always)
  var isSurelyFresh: Bool {
    lifetime > 0 && CoarseTime.now?.isSurely(within: lifetime, of: start) ?? false
  }

  var isExpired: Bool { policy.clock.now() >= end }

  /// Lets the caller refresh, unless a caller in this process does already: a refresh interrupted
  /// by a fork begins again in the child.
  ///
  /// - Parameter isOnThread: whether the calling thread refreshes, and not a task.
  func beginRefresh(onThread isOnThread: Bool) -> Bool {
    let found = claim.load(ordering: .acquiring)
    if !RefreshClaim(bits: found).isLost { return false }
    let own = isOnThread ? RefreshClaim.ofThread : RefreshClaim.ofTask
    return claim.compareExchange(
      expected: found, desired: own.bits, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Whether no resolve gets the instance any more, which nobody refreshes from now on if so.
  func endIfOver() -> Bool {
    policy.clock.now() >= end + policy.grace
      && (!policy.servesStale || beginRefresh(onThread: true))
  }

  /// Gives the claim up after a refresh that has failed: the next caller may try.
  func abandonRefresh() {
    claim.store(0, ordering: .releasing)
  }
}
