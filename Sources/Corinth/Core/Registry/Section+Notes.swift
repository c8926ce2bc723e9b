// SPDX-License-Identifier: MIT

internal import CCorinth

/// The notes of an ended construction: the slots that its thread resolved from.
///
/// Sections of resolves note the slots that they are entered for: see notes.c.
@safe
// SAFETY: each owner releases the notes once, as its last use. Constant, but for the atomic count.
struct ResolveNotes: @unchecked Sendable {
  private let pointer: UnsafeMutablePointer<corinth_notes>

  fileprivate init(_ pointer: UnsafeMutablePointer<corinth_notes>) {
    unsafe self.pointer = pointer
  }

  /// The bit that tells the word of notes from the address of an object.
  static var bit: UInt { 1 }

  /// The notes as a word.
  var word: UInt { unsafe UInt(bitPattern: pointer) | Self.bit }

  /// The notes of a ``word``; `nil` for any other.
  init?(word: UInt) {
    guard word & Self.bit != 0,
      let pointer = unsafe UnsafeMutablePointer<corinth_notes>(bitPattern: word & ~Self.bit)
    else { return nil }
    unsafe self.pointer = pointer
  }

  func release() { unsafe corinth_notes_release(pointer) }

  /// Notes with a second owner, for the only owner of `notes`, which has the result from now on.
  static func shared(_ notes: ResolveNotes?) -> ResolveNotes {
    unsafe ResolveNotes(corinth_notes_share(notes?.pointer))
  }

  /// Whether there are two owners.
  var areShared: Bool { unsafe corinth_notes_are_shared(pointer) }

  var resolves: [ResolveNote] {
    unsafe (0..<pointer.pointee.count).map {
      unsafe ResolveNote(bits: corinth_notes_entry(pointer, $0))
    }
  }

  // MARK: - Of the calling thread

  /// A construction for which a thread notes, until a nested construction has ended.
  @safe
  struct Recipient {
    // SAFETY: the registry is only compared.
    fileprivate let noting: corinth_noting

    static var none: Recipient { unsafe Recipient(noting: corinth_noting()) }

    /// Has the calling thread note nothing until ``resume()``.
    static func pause() -> Recipient {
      unsafe Recipient(noting: corinth_noting_pause(corinth_thread_current()))
    }

    func resume() { unsafe corinth_noting_restore(corinth_thread_current(), noting) }
  }

  /// Notes that the slot's instance may be resolved later.
  static func note(later slot: SlotReference, in table: borrowing SlotTable) {
    unsafe corinth_note_slot(
      corinth_thread_current(), table.pointer, slot.pointer, UInt(CORINTH_NOTE_LATER))
  }

  /// Whether the calling thread runs a construction that notes.
  static var areTaken: Bool { unsafe corinth_thread_is_noting(corinth_thread_current()) }

  /// Notes a resolve that is not followed: of a container, a scope factory or a lazily injected
  /// property, from which anything may be resolved later.
  @inline(never)
  static func noteUnknown() {
    unsafe corinth_note(corinth_thread_current(), UInt(CORINTH_NOTE_UNKNOWN))
  }
}

extension Section {
  /// As ``begin(_:)``, and has the thread note each resolve for the construction, in a table.
  @inline(__always)
  static func begin(
    _ construction: Unmanaged<some AnyObject>, notingIn table: borrowing SlotTable
  ) -> (Surroundings, ResolveNotes.Recipient) {
    let thread = unsafe corinth_thread_current()
    let surroundings = unsafe Surroundings(
      surroundings: corinth_construction_begin(thread, construction.toOpaque()))
    let recipient = unsafe ResolveNotes.Recipient(
      noting: corinth_noting_begin(thread, table.pointer))
    return (surroundings, recipient)
  }

  /// Ends the construction of ``begin(_:notingIn:)``, on the same thread.
  ///
  /// - Returns: the notes; `nil` if the construction has resolved nothing.
  @inline(__always)
  static func end(
    inside outer: Surroundings, notingFor recipient: ResolveNotes.Recipient
  ) -> ResolveNotes? {
    let thread = unsafe corinth_thread_current()
    unsafe corinth_construction_end(thread, outer.surroundings)
    guard let notes = unsafe corinth_noting_end(thread, recipient.noting) else { return nil }
    return unsafe ResolveNotes(notes)
  }
}

/// The slot of a noted resolve. Only compared: the slot may be gone.
struct ResolveNote: Sendable, Hashable {
  fileprivate let bits: UInt

  /// Whether anything may have been resolved.
  var isUnknown: Bool { bits == UInt(CORINTH_NOTE_UNKNOWN) }

  /// Whether the instance is resolved after the construction, or never.
  var isLater: Bool { bits & UInt(CORINTH_NOTE_LATER) != 0 }

  /// The address of the slot.
  var address: UInt { bits & ~UInt(CORINTH_NOTE_LATER) }
}

extension SlotReference {
  /// The address by which a ``ResolveNote`` refers to the slot.
  var address: UInt { unsafe UInt(bitPattern: pointer) }
}
