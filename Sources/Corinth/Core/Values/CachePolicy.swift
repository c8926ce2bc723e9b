// SPDX-License-Identifier: MIT

/// The lifetime of cached instances, and the use of expired instances.
///
/// A reference, so that scopes of other kinds, copied by registering, are small.
final class CachePolicy: Sendable {
  let lifetime: Duration
  /// Whether other resolves get the old instance during the replacement.
  let servesStale: Bool
  let clock: MonotonicClock
  /// For how long an old instance is kept for those that may be given it.
  var grace: Duration { servesStale ? lifetime : .zero }

  init(lifetime: Duration, servesStale: Bool, clock: MonotonicClock) {
    self.lifetime = lifetime
    self.servesStale = servesStale
    self.clock = clock
  }
}

extension CachePolicy: Hashable {
  static func == (left: CachePolicy, right: CachePolicy) -> Bool {
    left.lifetime == right.lifetime && left.servesStale == right.servesStale
      && left.clock === right.clock
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(lifetime)
    hasher.combine(servesStale)
  }
}
