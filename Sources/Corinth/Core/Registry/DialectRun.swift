// SPDX-License-Identifier: MIT

internal import CCorinth

/// A compatibility module's run on the thread, for an object of the module: a word of the record.
///
/// Not a context: a run is no part of a cycle, and every resolve of such a module begins a run.
@usableFromInline
@safe
struct DialectRun {
  /// The address, at +0, of the object of the run around.
  private let around: UnsafeMutableRawPointer?

  // SAFETY, of all: a thread's record is never freed, and only its own thread uses the record. The
  // caller that begins a run holds the object until the run's end, on the same thread's stack.

  /// Begins a run. The caller holds the object until the end of the run.
  @usableFromInline
  init(of object: AnyObject) {
    unsafe around = corinth_thread_exchange_run(
      corinth_thread_current(), Unmanaged.passUnretained(object).toOpaque())
  }

  @usableFromInline
  func end() {
    unsafe _ = corinth_thread_exchange_run(corinth_thread_current(), around)
    // Objects retired by the thread during the run wait for this moment.
    if unsafe around == nil { Reclamation.reclaim() }
  }

  /// The object of the innermost run; `nil` outside of runs.
  static var object: AnyObject? {
    guard let address = unsafe corinth_thread_run(corinth_thread_current()) else { return nil }
    return unsafe Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
  }
}
