// SPDX-License-Identifier: MIT

/// How long the instances of a cached singleton are kept, and what happens then.
struct CachePolicy: Sendable, Hashable {
  let lifetime: Duration
  /// Whether others get the old instance while it is being replaced.
  let servesStale: Bool
  let clock: MonotonicClock
}
