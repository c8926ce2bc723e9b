// SPDX-License-Identifier: MIT

internal import CCorinth

/// A reading of two clocks that are cheap to read, and lag by up to one tick of the kernel, which is 10 ms at most.
///
/// One stands still while the machine sleeps. The other does not, but may be set. So both have moved alike since an
/// earlier reading if the machine has not slept.
struct CoarseTime: Sendable {
  /// In nanoseconds.
  let monotonic: Int64
  let wall: Int64

  /// `nil` where there are no such clocks.
  @inline(__always)
  static var now: CoarseTime? {
    var time = corinth_coarse_time()
    guard unsafe corinth_coarse_time_read(&time) else { return nil }
    return CoarseTime(monotonic: time.monotonic, wall: time.wall)
  }

  /// Whether less time has passed since an earlier reading, with the time that the machine has slept. `false` if that is
  /// not sure: the end is near, or the wall clock has been set.
  @inline(__always)
  func isSurely(within nanoseconds: Int64, of start: CoarseTime) -> Bool {
    let passed = monotonic &- start.monotonic
    let slept = (wall &- start.wall) &- passed
    return passed < nanoseconds &- Self.uncertainty && slept.magnitude <= Self.unnoticed
  }

  /// What the clocks may differ by without a sleep: they are read one after the other.
  private static var unnoticed: UInt64 { 30_000_000 }

  /// What is not noticed, and a tick for each reading.
  private static var uncertainty: Int64 { 50_000_000 }
}
