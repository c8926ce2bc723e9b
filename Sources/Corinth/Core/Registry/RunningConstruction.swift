// SPDX-License-Identifier: MIT

internal import CCorinth

/// The construction that the calling thread is running, from the thread's record: an address at +0.
enum RunningConstruction {
  /// `nil` when the thread runs none. Never held across an `await`.
  // SAFETY: a thread's record is never freed, and only its own thread uses it.
  static var address: UnsafeMutableRawPointer? {
    get { unsafe corinth_thread_construction(corinth_thread_current()) }
    set { unsafe corinth_thread_set_construction(corinth_thread_current(), newValue) }
  }
}
