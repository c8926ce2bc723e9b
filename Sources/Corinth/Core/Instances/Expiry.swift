// SPDX-License-Identifier: MIT

internal import Synchronization

/// The time until which a cached instance is fresh.
final class Expiry: Sendable {
  private let policy: CachePolicy
  private let end: Duration
  /// When this began, at the latest. A sleep after it is noticed.
  private let start: CoarseTime
  /// The nanoseconds from then on until the end; 0 if the clock is another one.
  private let lifetime: Int64
  /// The ``RefreshClaim`` of the caller that refreshes, 0 for none.
  private let claim = Atomic<UInt>(0)

  /// Begins now.
  init(_ policy: CachePolicy) {
    self.policy = policy
    // Before the exact time: a sleep in between makes this one's end come earlier.
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

  /// Makes the caller the one that refreshes, unless there is one already in this process: a refresh that a
  /// fork has interrupted begins again in the child.
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

  /// Gives the claim up after a refresh that has failed: the next caller may try.
  func abandonRefresh() {
    claim.store(0, ordering: .releasing)
  }
}
