// SPDX-License-Identifier: MIT

/// The lifetime of cached instances, and their use after it.
struct CachePolicy: Sendable, Hashable {
  let lifetime: Duration
  /// Whether other resolves get the old instance while it is being replaced.
  let servesStale: Bool
  let clock: MonotonicClock
}
