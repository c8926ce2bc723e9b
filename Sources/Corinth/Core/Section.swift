// SPDX-License-Identifier: MIT

public import CCorinth

/// An open epoch section of the calling thread: nothing retired from here on is destroyed until
/// ``leave()``.
///
/// A section never spans an `await`, a thread hop or a wait: its thread's record would be wrong, or
/// reclamation would stand still.
@usableFromInline
@safe
struct Section {
  // SAFETY: a thread's record is never freed, and the section stays on its thread.
  @usableFromInline let thread: OpaquePointer

  @inlinable @inline(__always)
  init(entered thread: OpaquePointer) {
    unsafe self.thread = thread
  }

  @inlinable @inline(__always)
  static func enter() -> Section {
    unsafe Section(entered: corinth_section_enter())
  }

  @inlinable @inline(__always)
  func leave() {
    unsafe corinth_section_leave(thread)
  }

  /// How many sections the thread is inside of: the depth of nested transient resolves.
  @inlinable @inline(__always)
  var depth: UInt32 {
    unsafe corinth_section_depth(thread)
  }
}
