// SPDX-License-Identifier: MIT

internal import CCorinth

/// The hash of a name's text: equal strings, even canonically equivalent ones, have equal hashes.
///
/// Names may come from outside: an attacker must not be able to choose colliding texts. ASCII is
/// hashed by multiplications of two words, each mixed with a secret of the process: sixteen bytes a
/// multiplication, whose product of 128 bits is folded into 64. A change of a bit of the text
/// changes the product in a way that depends on the secrets, so that no later word can be chosen to
/// undo the change. Other text is hashed by `Hasher`, which is keyed as well.
///
/// Short text is hashed by the words of the inline string, without opening the string.
enum NameHash {
  /// The hash of ASCII of sixteen bytes or more; `nil` for other text.
  static func hash(ofLongASCII text: String) -> UInt64? {
    var text = text
    return text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      guard bytes.count >= 16 else { return nil }
      // The length first: two texts may have all words in common, as the last words may overlap.
      var hash = corinth_name_hash(UInt64(truncatingIfNeeded: bytes.count), 0)
      var offset = 0
      while true {
        // SAFETY: the buffer is valid for the call, and the offset at most the count less sixteen.
        let first = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let second = unsafe bytes.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self)
        guard isASCII(first | second) else { return nil }
        hash = corinth_name_hash_next(hash, first, second)
        let left = bytes.count &- offset &- 16
        if left == 0 { return hash }
        offset &+= min(left, 16)
      }
    }
  }

  /// The words of an inline string of fewer than sixteen ASCII bytes; `nil` for other text.
  static func words(ofShortASCII text: String) -> (UInt64, UInt64)? {
    let size = text.utf8.count
    guard size < 16, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    var words = (UInt64(0), UInt64(0xE0 | size) << 56)
    for (index, byte) in text.utf8.enumerated() {
      let bits = UInt64(byte) << UInt64(8 * (index % 8))
      if index < 8 { words.0 |= bits } else { words.1 |= bits }
    }
    return words
  }

  /// Strings compare by canonical equivalence, as `Hasher` does. Three characters outside ASCII are
  /// equivalent to ASCII characters, so their strings must hash as ASCII: the three are replaced.
  static func withoutEquivalentsOfASCII(_ text: String) -> String {
    var folded = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\u{037E}": folded.append(";")
      case "\u{1FEF}": folded.append("`")
      case "\u{212A}": folded.append("K")
      default: folded.append(scalar)
      }
    }
    return String(folded)
  }

  private static func isASCII(_ word: UInt64) -> Bool {
    word & 0x8080_8080_8080_8080 == 0
  }
}
