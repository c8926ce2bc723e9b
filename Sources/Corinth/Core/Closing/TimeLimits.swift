// SPDX-License-Identifier: MIT

/// How long a closing may take.
struct TimeLimits: Sendable {
  /// For each disposer, and for the constructions that are waited for together; `nil` for none.
  var each: Duration?
  /// For all of them together; `nil` for none.
  var total: Duration?
  /// How many disposers run at once. Small, to fit behind the two others.
  private var mostAtOnce: UInt16 = 1
  /// When the time for all of them together ends, if it has begun. An object: an instant has a size that only the
  /// standard library knows, and for limits of such a size each `withScope` would take memory of its task.
  private var deadline: Shared<ContinuousClock.Instant>?

  init(each: Duration? = nil, total: Duration? = nil, maximumConcurrency: Int = 1) {
    (self.each, self.total) = (each, total)
    mostAtOnce = UInt16(clamping: maximumConcurrency)
  }

  static let none = TimeLimits()

  var areNone: Bool { each == nil && total == nil }

  /// How many disposers run at once, at most.
  var maximumConcurrency: Int { Int(mostAtOnce) }

  /// Whether each disposer begins when the one before has ended.
  var areSequential: Bool { mostAtOnce <= 1 }

  /// These limits, for a closing whose disposers run one after the other.
  var sequential: TimeLimits {
    var limits = self
    limits.mostAtOnce = 1
    return limits
  }

  /// The one of them that a wait since `begin` has exceeded.
  func exceeded(since begin: ContinuousClock.Instant) -> Duration {
    let time = begin.duration(to: .now)
    if let each, each <= time { return each }
    return total ?? time
  }

  /// The limits of one closing, which begins now, unless it is a part of what has begun.
  func begin() -> RunningTimeLimits {
    RunningTimeLimits(limits: self, deadline: deadline?.value ?? total.map { .now + $0 })
  }

  /// The limits of several closings, which have the time of one.
  func begun() -> TimeLimits {
    var begun = self
    begun.deadline = begin().deadline.map { Shared($0) }
    return begun
  }
}

/// The time limits of a closing under way.
struct RunningTimeLimits: Sendable {
  let limits: TimeLimits
  let deadline: ContinuousClock.Instant?

  /// The longest time for the next disposer or construction; `nil` for no limit.
  ///
  /// - Throws: ``TimeLimitExceeded`` when the time for all of them has passed.
  func next() throws(TimeLimitExceeded) -> Duration? {
    guard let deadline, let total = limits.total else { return limits.each }
    let left = ContinuousClock.now.duration(to: deadline)
    if left <= .zero { throw TimeLimitExceeded(limit: total, wasBegun: false) }
    return limits.each.map { min($0, left) } ?? left
  }

  /// Whether the time for all of them has passed.
  var areOver: Bool { deadline.map { $0 <= .now } ?? false }

  /// Waits for what others do, for as long as the limits allow to one disposer.
  ///
  /// - Returns: the error if that was not long enough.
  func exceeded(waitingFor work: @escaping @Sendable () async -> Void) async -> TimeLimitExceeded? {
    do throws(TimeLimitExceeded) {
      let (limit, begin) = (try next(), ContinuousClock.now)
      if case .success = await withTimeLimit(limit, on: .steps, work) { return nil }
      return TimeLimitExceeded(limit: limits.exceeded(since: begin), wasBegun: true)
    } catch { return error }
  }

  /// The longest time for what has a limit of its own.
  func next(of limit: Duration) throws(TimeLimitExceeded) -> Duration {
    let own = TimeLimits(each: limit, total: limits.total)
    return try RunningTimeLimits(limits: own, deadline: deadline).next() ?? limit
  }

  /// The longest time for a construction that is waited for, as ``next()``. Those that go on at the same time have one
  /// limit: some of them run within others.
  func next(since begin: ContinuousClock.Instant) throws(TimeLimitExceeded) -> Duration? {
    let next = try next()
    guard let next, let each = limits.each else { return next }
    return min(next, max(.zero, each - begin.duration(to: .now)))
  }
}
