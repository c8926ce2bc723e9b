// SPDX-License-Identifier: MIT

internal import CCorinth

/// The order between the end of a wait and the task that goes on, for ThreadSanitizer.
///
/// A continuation may be resumed before its task has suspended. The two meet at an atomic of the Swift runtime, which is
/// not instrumented. No instruction in other builds.
enum ResumptionOrder {
  // SAFETY, of both: the address is compared, and nothing is read through it.

  /// Before the continuation is resumed.
  static func release(_ wait: AnyObject) {
    unsafe corinth_tsan_release(Unmanaged.passUnretained(wait).toOpaque())
  }

  /// When the task goes on.
  static func acquire(_ wait: AnyObject) {
    unsafe corinth_tsan_acquire(Unmanaged.passUnretained(wait).toOpaque())
  }
}
