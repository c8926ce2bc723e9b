// SPDX-License-Identifier: MIT

/// The hash of a name's text: equal strings have equal hashes, canonically equivalent ones included.
enum NameHash {
  // 2^64 divided by the golden ratio, odd: multiplication by it is a bijection.
  private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15

  // Names may come from outside: a seed of the process's own keeps their collisions from being chosen.
  private static let seed = UInt64.random(in: .min ... .max)

  static func hash(_ text: String) -> UInt64 {
    var text = text
    if let hash = text.withUTF8({ unsafe hashOfASCII($0) }) { return hash }
    return hashOfUnicode(text)
  }

  // SAFETY, of both below: each load is of bytes within the buffer, which is valid for the call: its offset plus its
  // width is at most the count.

  /// Eight bytes at a time, each mixed by a multiplication and a fold; nil when a byte is not ASCII.
  private static func hashOfASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64? {
    let bytes = UnsafeRawBufferPointer(bytes)
    var hash = seed ^ UInt64(truncatingIfNeeded: bytes.count)
    var offset = 0
    while offset &+ 8 < bytes.count {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      guard isASCII(word) else { return nil }
      mix(word, into: &hash)
      offset &+= 8
    }
    let word = unsafe lastWord(of: bytes)
    guard isASCII(word) else { return nil }
    mix(word, into: &hash)
    return hash
  }

  /// The last one to eight bytes in one word; it may overlap the words before.
  private static func lastWord(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = bytes.count
    if count >= 8 {
      return unsafe bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    }
    if count >= 4 {
      let first = unsafe bytes.loadUnaligned(as: UInt32.self)
      let last = unsafe bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
      return UInt64(first) | UInt64(last) << 32
    }
    if count == 0 { return 0 }
    return unsafe UInt64(bytes[0]) | UInt64(bytes[count >> 1]) << 8 | UInt64(bytes[count &- 1])
      << 16
  }

  private static func isASCII(_ word: UInt64) -> Bool {
    word & 0x8080_8080_8080_8080 == 0
  }

  private static func mix(_ word: UInt64, into hash: inout UInt64) {
    hash = (hash ^ word) &* multiplier
    hash ^= hash >> 32
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
