// SPDX-License-Identifier: MIT

/// Measures the time since some moment in the past; never runs backwards.
package final class MonotonicClock: Sendable {
  let now: @Sendable () -> Duration

  package init(_ now: @escaping @Sendable () -> Duration) {
    self.now = now
  }

  /// Counts time during sleep of the machine too.
  static let continuous: MonotonicClock = {
    let start = ContinuousClock.now
    return MonotonicClock { start.duration(to: .now) }
  }()
}

extension Duration {
  init(_ wholeNanoseconds: UInt64) { self = .nanoseconds(Int64(clamping: wholeNanoseconds)) }

  /// In whole nanoseconds; 0 for less than none.
  var wholeNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    return UInt64(clamping: seconds) &* 1_000_000_000
      &+ UInt64(clamping: attoseconds / 1_000_000_000)
  }
}
