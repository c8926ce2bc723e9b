// SPDX-License-Identifier: MIT

internal import CCorinth

/// Nanoseconds since some moment in the past, sleep of the machine included.
@inline(__always)
func nanosecondsNow() -> UInt64 { corinth_time_read() }

/// A reading of two cheap clocks, which lag by at most one tick of the kernel: 10 ms or less.
///
/// The monotonic clock stands still while the machine sleeps. The wall clock does not, but may be
/// set. So if the clocks have moved alike since an earlier reading, the machine has not slept.
struct CoarseTime: Sendable {
  /// In nanoseconds.
  let monotonic: Int64
  let wall: Int64

  /// `nil` on a system without coarse clocks.
  // SAFETY: the call writes to `time` only.
  @inline(__always)
  static var now: CoarseTime? {
    var time = corinth_coarse_time()
    guard unsafe corinth_coarse_time_read(&time) else { return nil }
    return CoarseTime(monotonic: time.monotonic, wall: time.wall)
  }

  /// Whether less time has passed since an earlier reading, sleep of the machine included. `false`
  /// if unsure: the end is near, or the wall clock has been set.
  @inline(__always)
  func isSurely(within nanoseconds: Int64, of start: CoarseTime) -> Bool {
    let passed = monotonic &- start.monotonic
    let slept = (wall &- start.wall) &- passed
    return passed < nanoseconds &- Self.uncertainty && slept.magnitude <= Self.unnoticed
  }

  /// The difference of the clocks without a sleep: one is read after the other.
  private static var unnoticed: UInt64 { 30_000_000 }

  /// The unnoticed difference, and a tick for each of the readings.
  private static var uncertainty: Int64 { 50_000_000 }
}
