// SPDX-License-Identifier: MIT

internal import Synchronization

/// How long an instance of a time-limited singleton is fresh.
final class Expiry: Sendable {
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
