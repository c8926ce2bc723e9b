// SPDX-License-Identifier: MIT

/// The lifetime of cached instances, and the use of expired instances.
///
/// A reference, so that scopes of other kinds, copied by registering, are small.
final class CachePolicy: Sendable {
  let lifetime: Duration
  /// What other resolves get during the replacement of an expired instance.
  private let whileRefreshing: StalePolicy
  let clock: MonotonicClock
  /// Whether other resolves get the old instance during the replacement.
  var servesStale: Bool { whileRefreshing == .serveStale }
  /// For how long an old instance is kept for those that may be given it.
  var grace: Duration { servesStale ? lifetime : .zero }

  init(lifetime: Duration, whileRefreshing: StalePolicy, clock: MonotonicClock) {
    self.lifetime = lifetime
    self.whileRefreshing = whileRefreshing
    self.clock = clock
  }
}

extension CachePolicy: Hashable {
  static func == (left: CachePolicy, right: CachePolicy) -> Bool {
    left.lifetime == right.lifetime && left.whileRefreshing == right.whileRefreshing
      && left.clock === right.clock
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(lifetime)
    hasher.combine(whileRefreshing)
  }
}
