// SPDX-License-Identifier: MIT

/// The hash of a name's text: equal strings have equal hashes, canonically equivalent ones
/// included.
///
/// Names may come from outside: an attacker must not be able to choose texts that collide. ASCII is
/// hashed by multiplications of two words, each mixed with a secret of the process: sixteen bytes a
/// multiplication, whose product of 128 bits is folded into 64. The change that a bit of the text
/// makes to the product depends on the secrets, so that no later word can be chosen to undo it.
/// Other text is hashed by `Hasher`, which is keyed as well.
enum NameHash {
  private static let secrets = (
    first: UInt64.random(in: .min ... .max), second: UInt64.random(in: .min ... .max)
  )

  static func hash(_ text: String) -> UInt64 {
    // SAFETY: a String is two words without padding.
    let words = unsafe unsafeBitCast(text, to: (UInt64, UInt64).self)
    if isShortASCII(words) { return hashOfShortASCII(words) }
    var text = text
    if let hash = text.withUTF8({ unsafe hashOfASCII($0) }) { return hash }
    return hashOfUnicode(text)
  }

  // SAFETY, of both below: each load is of bytes within the buffer, which is valid for the call: its
  // offset plus its width is at most the count.

  /// The hash of ASCII in memory; nil when a byte is not ASCII.
  private static func hashOfASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64? {
    let bytes = UnsafeRawBufferPointer(bytes)
    guard bytes.count >= 16 else {
      let words = unsafe shortWords(of: bytes)
      guard isASCII(words.0 | words.1 & ~shortMarks) else { return nil }
      return hashOfShortASCII(words)
    }
    let secrets = secrets
    // The length first: two texts may have all words in common, as the last ones may overlap.
    var hash = fold(UInt64(truncatingIfNeeded: bytes.count) ^ secrets.first, secrets.second)
    var offset = 0
    while true {
      let first = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let second = unsafe bytes.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self)
      guard isASCII(first | second) else { return nil }
      hash = fold(first ^ hash, second ^ secrets.second)
      let left = bytes.count &- offset &- 16
      if left == 0 { return hash }
      offset &+= min(left, 16)
    }
  }

  private static func isASCII(_ word: UInt64) -> Bool {
    word & 0x8080_8080_8080_8080 == 0
  }

  private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  /// Strings compare by canonical equivalence, which `Hasher` knows. Three characters outside ASCII
  /// are equivalent to one inside, so that their strings must hash as ASCII does.
  private static func hashOfUnicode(_ text: String) -> UInt64 {
    var folded = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\u{037E}": folded.append(";")
      case "\u{1FEF}": folded.append("`")
      case "\u{212A}": folded.append("K")
      default: folded.append(scalar)
      }
    }
    var canonical = String(folded)
    if let hash = canonical.withUTF8({ unsafe hashOfASCII($0) }) { return hash }
    return UInt64(bitPattern: Int64(text.hashValue))
  }
}

/// A string of up to fifteen ASCII bytes may hold them itself: its two words are then the bytes,
/// zeros, and in the last byte 0xE0 and their number. Such a string is hashed by its words, without
/// being opened. A string of the same text with its bytes in other memory is hashed by the same
/// words.
extension NameHash {
  private static let shortMarks: UInt64 = 0xFF << 56

  private static func hashOfShortASCII(_ words: (UInt64, UInt64)) -> UInt64 {
    let secrets = secrets
    return fold(words.0 ^ secrets.first, words.1 ^ secrets.second)
  }

  private static func isShortASCII(_ words: (UInt64, UInt64)) -> Bool {
    words.1 >> 60 == 0xE
  }

  /// The words of fewer than sixteen bytes.
  private static func shortWords(of bytes: UnsafeRawBufferPointer) -> (UInt64, UInt64) {
    let count = UInt64(truncatingIfNeeded: bytes.count)
    var words = (UInt64(0), (0xE0 | count) << 56)
    // SAFETY: the loads and shifts below stay within `count` bytes.
    switch bytes.count {
    case 8...:
      unsafe words.0 = bytes.loadUnaligned(as: UInt64.self)
      let last = unsafe bytes.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self)
      words.1 |= last >> (8 * (16 - count))
    case 4...:
      let first = unsafe bytes.loadUnaligned(as: UInt32.self)
      let last = unsafe bytes.loadUnaligned(fromByteOffset: bytes.count &- 4, as: UInt32.self)
      words.0 = UInt64(first) | UInt64(last) << (8 * (count - 4))
    case 1...:
      for index in 0..<bytes.count { unsafe words.0 |= UInt64(bytes[index]) << (8 * index) }
    default: break
    }
    return words
  }
}
