// SPDX-License-Identifier: MIT

internal import CCorinth

/// The slots that a construction resolves from on the calling thread, if it takes notes: each once.
///
/// Sections note the slots that they are entered for: see notes.c.
enum ResolveNotes {
  /// The notes of one construction.
  enum Content: Sendable {
    /// Something was resolved in another container, or is resolved later in a way that is not seen.
    case unknown
    case slots([NotedSlot])
  }

  /// Has the calling thread note what is resolved in a table, until ``end()``.
  static func begin(in table: borrowing SlotTable) {
    unsafe corinth_notes_begin(table.pointer)
  }

  /// Ends the innermost notes of the calling thread; `nil` if there are none.
  static func end() -> Content? {
    // SAFETY: valid until the thread begins others.
    let notes = unsafe corinth_notes_end().unsafelyUnwrapped.pointee
    if unsafe notes.is_unknown { return .unknown }
    if unsafe notes.count == 0 { return nil }
    var slots: [NotedSlot] = []
    unsafe slots.reserveCapacity(Int(notes.count))
    for index in unsafe 0..<Int(notes.capacity) {
      let entry = unsafe notes.entries[index]
      if entry != 0 { slots.append(NotedSlot(bits: entry)) }
    }
    return .slots(slots)
  }

  /// The notes of a thread that takes none for a while.
  @safe
  struct Paused {
    // SAFETY: used once, on the same thread, by the frame that has paused.
    fileprivate let notes: UnsafeMutablePointer<corinth_notes>?
  }

  /// Has the calling thread note nothing until ``resume(_:)``: something is resolved in a container that ends later.
  static func pause() -> Paused { unsafe Paused(notes: corinth_notes_pause()) }

  static func resume(_ paused: Paused) { unsafe corinth_notes_resume(paused.notes) }

  /// Notes that what a slot serves may be resolved later.
  static func note(later slot: SlotReference, in table: borrowing SlotTable) {
    guard let notes = unsafe corinth_notes_current() else { return }
    unsafe corinth_note(notes, table.pointer, slot.pointer, UInt(CORINTH_NOTE_LATER))
  }

  /// Whether the calling thread runs a construction that notes.
  static var areTaken: Bool { unsafe corinth_notes_current() != nil }

  /// Notes that anything may be resolved later, as a container, a scope factory or a lazily injected property is handed out.
  static func noteUnknown() {
    if let notes = unsafe corinth_notes_current() { unsafe notes.pointee.is_unknown = true }
  }
}

/// The slot of a noted resolve. It may not exist any more: only compared, until it is known to.
struct NotedSlot: Sendable, Hashable {
  private let bits: UInt

  fileprivate init(bits: UInt) {
    self.bits = bits
  }

  /// Whether the instance is resolved after the construction, or never.
  var isLater: Bool { bits & UInt(CORINTH_NOTE_LATER) != 0 }

  /// The address of the slot.
  var address: UInt { bits & ~UInt(CORINTH_NOTE_LATER) }
}

extension SlotReference {
  /// The number by which ``NotedSlot`` refers to it.
  var address: UInt { unsafe UInt(bitPattern: pointer) }
}
