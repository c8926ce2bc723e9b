// SPDX-License-Identifier: MIT

/// The hash of a name's text: equal strings have equal hashes, canonically equivalent ones included.
enum NameHash {
  // 2^64 divided by the golden ratio, odd: multiplication by it is a bijection.
  private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15

  static func hash(_ text: String) -> UInt64 {
    var text = text
    if let hash = text.withUTF8({ unsafe hashOfASCII($0) }) { return hash }
    return hashOfUnicode(text)
  }

  /// Eight bytes at a time, each mixed by a multiplication and a fold; nil when a byte is not ASCII.
  private static func hashOfASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64? {
    var hash = UInt64(truncatingIfNeeded: bytes.count) &* multiplier
    var offset = 0
    while offset < bytes.count {
      var word: UInt64 = 0
      for index in offset..<min(offset + 8, bytes.count) {
        unsafe word = word << 8 | UInt64(bytes[index])
      }
      guard word & 0x8080_8080_8080_8080 == 0 else { return nil }
      hash = (hash ^ word) &* multiplier
      hash ^= hash >> 32
      offset += 8
    }
    return hash
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
