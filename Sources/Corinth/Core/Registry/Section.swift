// SPDX-License-Identifier: MIT

public import CCorinth

/// An open epoch section of the calling thread: objects retired from here on are not destroyed before
/// ``leave()``.
///
/// A section never spans an `await` or a thread hop: its thread's record would be wrong. The construction
/// of a shared instance, which may wait, leaves its own section first; it may still run inside of a
/// transient factory's.
@usableFromInline
@safe
@frozen
struct Section {
  // SAFETY: a thread's record is never freed, and the section stays on its thread.
  @usableFromInline let thread: OpaquePointer

  @inlinable @_transparent
  init(entered thread: OpaquePointer) {
    unsafe self.thread = thread
  }

  @inlinable @_transparent
  static func enter() -> Section {
    unsafe Section(entered: corinth_section_enter())
  }

  /// As ``enter()``; `nil` on the first entry of a thread, which takes a call.
  @inlinable @_transparent
  static func enterIfAttached() -> Section? {
    guard let thread = unsafe corinth_section_enter_attached() else { return nil }
    return unsafe Section(entered: thread)
  }

  /// As ``enter()``, for a lookup in a table. On the first entry of a thread, the program ends if another copy of Corinth has
  /// made that.
  @inlinable @_transparent
  static func enter(in table: borrowing SlotTable) -> Section {
    unsafe Section(entered: corinth_section_enter_in(table.pointer))
  }

  /// As ``enter(in:)``; `nil` on the first entry of a thread, which takes a call.
  @inlinable @_transparent
  static func enterIfAttached(in table: borrowing SlotTable) -> Section? {
    guard let thread = unsafe corinth_section_enter_attached_in(table.pointer) else { return nil }
    return unsafe Section(entered: thread)
  }

  @inlinable @_transparent
  func leave() {
    unsafe corinth_section_leave(thread)
  }

  /// Instead of ``leave()``: what follows is user code, which needs `object` of all that the section has found, the address of
  /// a registration, or 0. It may run for any time, and holds back the destruction of nothing else.
  ///
  /// - Parameter isShallow: whether it is known to be nested less deeply than paths are recorded.
  @inlinable @_transparent
  func leave(using object: UInt, isShallow: Bool) -> Use {
    unsafe corinth_use_begin(thread, object, isShallow)
    return unsafe Use(thread: thread, isShallow: isShallow)
  }

  /// User code that runs on the calling thread.
  @usableFromInline
  @safe
  @frozen
  struct Use {
    // SAFETY: as above.
    @usableFromInline let thread: OpaquePointer

    @usableFromInline let isShallow: Bool

    @inlinable @_transparent
    init(thread: OpaquePointer, isShallow: Bool) {
      unsafe self.thread = thread
      self.isShallow = isShallow
    }

    @inlinable @_transparent
    func end() {
      unsafe corinth_use_end(thread, isShallow)
    }
  }

  /// The number of sections that the thread is inside of, and of uses: the depth of nested transient resolves.
  @inlinable @_transparent
  var depth: UInt32 {
    unsafe corinth_section_depth(thread)
  }

  /// Whether the thread runs no construction.
  @inline(__always)
  var isOutsideOfConstructions: Bool { unsafe corinth_thread_construction(thread) == nil }

  /// Whether the thread runs this construction, or none if this is `nil`.
  @inline(__always)
  func isRunning(_ construction: (some AnyObject)?) -> Bool {
    // SAFETY: compared only. Mapped to its address, it would be counted.
    unsafe UInt(bitPattern: corinth_thread_construction(thread))
      == unsafeBitCast(construction, to: UInt.self)
  }

  /// Leaves all sections of the calling thread. None of the frames that entered them may go on.
  static func leaveAll() {
    guard let section = enterIfAttached() else { return }
    unsafe corinth_sections_leave(section.thread)
  }
}
