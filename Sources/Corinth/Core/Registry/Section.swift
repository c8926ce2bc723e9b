// SPDX-License-Identifier: MIT

public import CCorinth

/// An open epoch section of the calling thread: objects retired from here on are not destroyed
/// before ``leave()``.
///
/// A section never spans an `await` or a thread hop: the thread's record would be wrong. The
/// construction of a shared instance, which may wait, leaves its own section first, but may still
/// run inside a transient factory's section.
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

  /// As ``enter()``, for a resolve in a table, from a slot that may be an ancestor's. On a thread's
  /// first entry, the program ends if another copy of Corinth has made the table. A construction
  /// that the thread runs may note the slot.
  @inlinable @_transparent
  static func enter(in table: borrowing SlotTable, from slot: SlotReference) -> Section {
    unsafe Section(entered: corinth_section_enter_in(table.pointer, slot.pointer))
  }

  /// As ``enter(in:from:)``; `nil` on the first entry of a thread, which takes a call.
  @inlinable @_transparent
  static func enterIfAttached(
    in table: borrowing SlotTable, from slot: SlotReference
  ) -> Section? {
    guard let thread = unsafe corinth_section_enter_attached_in(table.pointer, slot.pointer) else {
      return nil
    }
    return unsafe Section(entered: thread)
  }

  @inlinable @_transparent
  func leave() {
    unsafe corinth_section_leave(thread)
  }

  /// Instead of ``leave()``, before user code, which may run for any time and needs only `object`:
  /// a registration's address, or 0. The use is a hazard pointer, and keeps nothing else alive.
  ///
  /// - Parameter isShallow: whether the use is known to be nested less deeply than recorded paths.
  @inlinable @_transparent
  func leave(using object: UInt, isShallow: Bool) -> Use {
    unsafe corinth_use_begin(thread, object, isShallow)
    return unsafe Use(thread: thread, isShallow: isShallow)
  }

  /// A run of user code on the calling thread.
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

  /// The number of the thread's open sections and uses: the depth of nested transient resolves.
  @inlinable @_transparent
  var depth: UInt32 {
    unsafe corinth_section_depth(thread)
  }

  /// Whether the thread runs no construction.
  @inline(__always)
  var isOutsideOfConstructions: Bool { unsafe corinth_thread_construction(thread) == nil }

  /// Whether the thread runs this construction; with `nil`, whether the thread runs none.
  @inline(__always)
  func isRunning(_ construction: (some AnyObject)?) -> Bool {
    // SAFETY: only compared. A map to the address would count references.
    unsafe UInt(bitPattern: corinth_thread_construction(thread))
      == unsafeBitCast(construction, to: UInt.self)
  }

  /// Notes whether the thread calls a behavior. The section may have ended.
  @inline(__always)
  func setTelling(_ isTelling: Bool) { unsafe corinth_thread_set_telling(thread, isTelling) }

  /// Whether the thread calls a behavior, as noted.
  @inline(__always)
  var isTelling: Bool { unsafe corinth_thread_is_telling(thread) }

  /// Leaves all sections of the calling thread. No frame that entered a section may go on.
  static func leaveAll() {
    guard let section = enterIfAttached() else { return }
    unsafe corinth_sections_leave(section.thread)
  }
}
