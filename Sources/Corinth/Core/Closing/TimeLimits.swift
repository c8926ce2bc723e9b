// SPDX-License-Identifier: MIT

/// How long a closing may take.
struct TimeLimits: Sendable {
  /// For every disposer, and for all constructions awaited together; `nil` for none.
  var each: Duration?
  /// For all steps together; `nil` for none.
  var total: Duration?
  /// The number of disposers that run at once. Small, to fit behind the two others.
  private var mostAtOnce: UInt16 = 1
  /// The deadline of all steps together, if begun. An object: the size of an instant is known only
  /// to the standard library, and such limits would cost every `withScope` memory of its task.
  private var deadline: Shared<ContinuousClock.Instant>?

  init(each: Duration? = nil, total: Duration? = nil, maximumConcurrency: Int = 1) {
    (self.each, self.total) = (each, total)
    mostAtOnce = UInt16(clamping: maximumConcurrency)
  }

  static let none = TimeLimits()

  var areNone: Bool { each == nil && total == nil }

  var maximumConcurrency: Int {
    // Each has a thread from the beginning of its time on.
    areNone ? Int(mostAtOnce) : min(Int(mostAtOnce), LimitThreads.bound)
  }

  /// Whether each disposer begins when the disposer before has ended.
  var areSequential: Bool { mostAtOnce <= 1 }

  /// The limits, for a closing whose disposers run one after the other.
  var sequential: TimeLimits {
    var limits = self
    limits.mostAtOnce = 1
    return limits
  }

  /// The limit exceeded by a wait since `begin`.
  func exceeded(since begin: ContinuousClock.Instant) -> Duration {
    let time = begin.duration(to: .now)
    if let each, each <= time { return each }
    return total ?? time
  }

  /// The limits of a closing that begins now, unless a part of closings begun before.
  func begin() -> RunningTimeLimits {
    RunningTimeLimits(limits: self, deadline: deadline?.value ?? total.map { .now + $0 })
  }

  /// The limits of several closings, with the time of a single one.
  func begun() -> TimeLimits {
    if deadline != nil { return self }
    var begun = self
    begun.deadline = begin().deadline.map { Shared($0) }
    return begun
  }
}

/// The time limits of a closing under way.
struct RunningTimeLimits: Sendable {
  let limits: TimeLimits
  let deadline: ContinuousClock.Instant?

  /// The time left for all steps together, not below zero; `nil` for no limit.
  var left: Duration? { deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) } }

  /// The longest time for the next disposer or construction; `nil` for no limit.
  ///
  /// - Throws: ``TimeLimitExceeded`` when the time for all steps has passed.
  @inline(never) func next() throws(TimeLimitExceeded) -> Duration? {
    guard let left, let total = limits.total else { return limits.each }
    if left == .zero { throw TimeLimitExceeded(limit: total, wasBegun: false) }
    return limits.each.map { min($0, left) } ?? left
  }

  /// Whether the time for all steps has passed.
  var areOver: Bool { deadline.map { $0 <= .now } ?? false }

  /// Waits for the work of others, for as long as the limits allow for a single disposer.
  ///
  /// - Returns: the error if the time was too short.
  func exceeded(waitingFor work: @escaping @Sendable () async -> Void) async -> TimeLimitExceeded? {
    do throws(TimeLimitExceeded) {
      let (limit, begin) = (try next(), ContinuousClock.now)
      if case .success = await withTimeLimit(limit, on: .steps, work) { return nil }
      return TimeLimitExceeded(limit: limits.exceeded(since: begin), wasBegun: true)
    } catch { return error }
  }

  /// The longest time for work with a limit of its own.
  func next(of limit: Duration) throws(TimeLimitExceeded) -> Duration {
    let own = TimeLimits(each: limit, total: limits.total)
    return try RunningTimeLimits(limits: own, deadline: deadline).next() ?? limit
  }

  /// The longest time for an awaited construction, as ``next()``. Constructions under way at once
  /// share a limit: some of them run inside others.
  func next(since begin: ContinuousClock.Instant) throws(TimeLimitExceeded) -> Duration? {
    let next = try next()
    guard let next, let each = limits.each else { return next }
    return min(next, max(.zero, each - begin.duration(to: .now)))
  }
}
