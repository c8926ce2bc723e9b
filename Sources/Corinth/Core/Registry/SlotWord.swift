// SPDX-License-Identifier: MIT

public import CCorinth

/// The content of a slot: absent, a registration, or a box with the ready instance.
///
/// The object behind a word lives for the section of the load, or while the writer lock is held.
@usableFromInline
@frozen
struct SlotWord {
  @usableFromInline let bits: UInt

  @inlinable @_transparent
  init(bits: UInt) {
    self.bits = bits
  }

  /// The kind of object behind a word.
  @usableFromInline
  @frozen
  struct Tag: Equatable {
    @usableFromInline let bits: UInt

    @inlinable @_transparent
    init(bits: UInt) {
      self.bits = bits
    }

    @inlinable @_transparent
    static var ready: Tag { Tag(bits: CORINTH_WORD_READY) }
    @inlinable @_transparent
    static var transient: Tag { Tag(bits: CORINTH_WORD_TRANSIENT) }
    @inlinable @_transparent
    static var registration: Tag { Tag(bits: CORINTH_WORD_REGISTRATION) }
    /// As ``registration``, in place of tags that a call site resolves inline. Never becomes ready.
    static var diverted: Tag { Tag(bits: CORINTH_WORD_DIVERTED) }
    /// As ``registration``, with instances in the cells of request scopes.
    static var scoped: Tag { Tag(bits: CORINTH_WORD_SCOPED) }
    /// As ``registration``, with instances in the cells of resolutions.
    static var graph: Tag { Tag(bits: CORINTH_WORD_GRAPH) }
    /// As ``registration``, with instances in its state for a time, or in its table by arguments.
    static var stored: Tag { Tag(bits: CORINTH_WORD_STORED) }
    /// As ``transient``, with values that request scopes are given.
    static var input: Tag { Tag(bits: CORINTH_WORD_INPUT) }
  }

  /// The kind of object behind a word other than ``absent``.
  var tag: Tag { Tag(bits: bits & CORINTH_WORD_TAG_MASK) }

  @inlinable @_transparent
  var isReady: Bool { bits & CORINTH_WORD_TAG_MASK == CORINTH_WORD_READY }

  @inlinable @_transparent
  var isTransient: Bool { bits & CORINTH_WORD_TAG_MASK == CORINTH_WORD_TRANSIENT }

  @inlinable @_transparent
  var isRegistration: Bool { bits & CORINTH_WORD_TAG_MASK == CORINTH_WORD_REGISTRATION }

  @inlinable @_transparent
  var isScoped: Bool { bits & CORINTH_WORD_TAG_MASK == CORINTH_WORD_SCOPED }

  @inline(__always)
  var isGraph: Bool { bits & CORINTH_WORD_TAG_MASK == CORINTH_WORD_GRAPH }

  @inline(__always)
  var isStored: Bool { bits & CORINTH_WORD_TAG_MASK == CORINTH_WORD_STORED }

  /// One bit: compared with the tag, the compiler would make a table of all tests in a row.
  @inline(__always)
  var isInput: Bool { bits & CORINTH_WORD_INPUT != 0 }

  var isDiverted: Bool { tag == .diverted }

  @inlinable @_transparent
  var isAbsent: Bool { bits == CORINTH_WORD_ABSENT }

  static var absent: SlotWord { SlotWord(bits: CORINTH_WORD_ABSENT) }

  /// The word of an object, at +0.
  init(_ object: AnyObject, tagged tag: Tag) {
    // SAFETY: the address is a number here; objects are aligned to more than the tag's bits.
    let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    self.init(bits: address | tag.bits)
  }

  /// The transient word of a registration behind a diverted word or an input's.
  var asTransient: SlotWord {
    SlotWord(bits: bits & ~CORINTH_WORD_TAG_MASK | CORINTH_WORD_TRANSIENT)
  }

  /// The address behind a transient word.
  @inlinable @_transparent
  var transientAddress: UInt { bits &- CORINTH_WORD_TRANSIENT }

  /// The address of the object behind a ready word.
  @inlinable @_transparent
  var readyAddress: UInt { bits &- CORINTH_WORD_READY }

  /// The object behind the word, at +0.
  @inlinable @_transparent
  func object<Object: AnyObject>(tagged tag: Tag) -> Unmanaged<Object> {
    // SAFETY: only called for words with `tag`, hence not for the absent word. Tag and key of the
    // slot decide the class; see SlotWord+Records.swift.
    unsafe unsafeBitCast(bits &- tag.bits, to: Unmanaged<Object>.self)
  }
}
