// SPDX-License-Identifier: MIT

internal import Synchronization

/// The time until which a cached instance is fresh.
final class Expiry: Sendable {
  private let policy: CachePolicy
  private let end: Duration
  /// The ``RefreshClaim`` of the caller that refreshes, 0 for none.
  private let claim = Atomic<UInt>(0)

  /// Begins now.
  init(_ policy: CachePolicy) {
    self.policy = policy
    end = policy.clock.now() + policy.lifetime
  }

  var isExpired: Bool { policy.clock.now() >= end }

  /// Makes the caller the one that refreshes, unless there is one already in this process: a refresh that a
  /// fork has interrupted begins again in the child.
  ///
  /// - Parameter isOnThread: whether the calling thread refreshes, and not a task.
  func beginRefresh(onThread isOnThread: Bool) -> Bool {
    let found = claim.load(ordering: .acquiring)
    if let earlier = RefreshClaim(bits: found), !earlier.isLost { return false }
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
