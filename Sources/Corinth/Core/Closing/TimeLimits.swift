// SPDX-License-Identifier: MIT

/// How long a closing may take.
struct TimeLimits: Sendable {
  /// For each disposer, and for each construction that is waited for; `nil` for none.
  var each: Duration?
  /// For all of them together; `nil` for none.
  var total: Duration?

  static let none = TimeLimits()

  var areNone: Bool { each == nil && total == nil }

  /// The limits of one closing, which begins now.
  func begin() -> RunningTimeLimits {
    RunningTimeLimits(limits: self, deadline: total.map { .now + $0 })
  }
}

/// The time limits of a closing under way.
struct RunningTimeLimits: Sendable {
  let limits: TimeLimits
  let deadline: ContinuousClock.Instant?

  /// The longest time for the next disposer or construction; `nil` for no limit.
  ///
  /// - Throws: ``DisposalOmitted`` when the time for all of them has passed.
  func next() throws(DisposalOmitted) -> Duration? {
    guard let deadline, let total = limits.total else { return limits.each }
    let left = ContinuousClock.now.duration(to: deadline)
    if left <= .zero { throw DisposalOmitted(totalTimeLimit: total) }
    return limits.each.map { min($0, left) } ?? left
  }
}
