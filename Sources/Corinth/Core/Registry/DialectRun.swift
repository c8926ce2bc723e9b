// SPDX-License-Identifier: MIT

internal import CCorinth

/// A run of a dialect on the calling thread, for an object of the dialect's own: a word of the thread's record.
///
/// Not a context: it is no part of a cycle, and each resolve of a dialect begins one.
@usableFromInline
@safe
struct DialectRun {
  /// That of the run around it: an address at +0.
  private let around: UnsafeMutableRawPointer?

  // SAFETY, of all: a thread's record is never freed, and only its own thread uses it. Whoever begins a run holds its object
  // until it ends the run, on the same thread's stack.

  /// Begins one. The caller holds the object until it ends this.
  @usableFromInline
  init(of object: AnyObject) {
    unsafe around = corinth_thread_exchange_run(
      corinth_thread_current(), Unmanaged.passUnretained(object).toOpaque())
  }

  @usableFromInline
  func end() {
    unsafe _ = corinth_thread_exchange_run(corinth_thread_current(), around)
    // Objects that the thread has retired inside of it wait for this.
    if unsafe around == nil { Reclamation.reclaim() }
  }

  /// The object of the innermost one; `nil` when there is none.
  static var object: AnyObject? {
    guard let address = unsafe corinth_thread_run(corinth_thread_current()) else { return nil }
    return unsafe Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
  }
}
