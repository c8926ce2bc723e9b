// SPDX-License-Identifier: MIT

/// The content of a name.
@usableFromInline
@frozen
enum NameContent: Sendable {
  /// A text, or an integer's digits, of up to fifteen ASCII bytes: the two words of a short string,
  /// stored inline. Equal texts have equal words, and a copy counts no references.
  case short(UInt64, UInt64)
  /// Any other text, or an integer's digits.
  case long(String)
  /// A value that is neither text nor integer; and 0, so that all contents fill a slot's two words.
  case value(NameValue, UInt64 = 0)
}

/// A string of up to fifteen ASCII bytes may be stored inline: the two words are then the bytes,
/// zeros, and in the last byte 0xE0 plus the number of bytes.
extension NameContent {
  @inlinable @inline(__always)
  static func isShort(_ words: (UInt64, UInt64)) -> Bool { words.1 >> 60 == 0xE }

  @inlinable @inline(__always)
  static func words(of text: borrowing String) -> (UInt64, UInt64) {
    // SAFETY: a String is two words without padding. The words are compared, and turned back into a
    // String only while an owner keeps the storage alive.
    unsafe unsafeBitCast(copy text, to: (UInt64, UInt64).self)
  }

  /// The digits of an integer.
  init(digits: String) {
    let words = Self.words(of: digits)
    self = Self.isShort(words) ? .short(words.0, words.1) : .long(digits)
  }

  /// Empty for a value.
  var text: String {
    switch self {
    // SAFETY: the words of a short string, stored inline, are the string.
    case .short(let first, let second): unsafe unsafeBitCast((first, second), to: String.self)
    case .long(let text): text
    case .value: ""
    }
  }
}
