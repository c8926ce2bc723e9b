// SPDX-License-Identifier: MIT

internal import Foundation

/// A place in a text of UTF-8, or of any encoding in which ASCII is unchanged.
package struct ByteCursor {
  package let bytes: [UInt8]
  package private(set) var position = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  package mutating func advance() { position += 1 }

  package mutating func skip(while fits: (UInt8) -> Bool) {
    while let current, fits(current) { position += 1 }
  }

  package func starts(with text: StaticString) -> Bool {
    bytes[position...].starts(with: "\(text)".utf8)
  }

  /// Moves past the next occurrence of a text, or to the end without an occurrence.
  ///
  /// - Returns: whether the text occurs.
  @discardableResult
  package mutating func skip(past text: StaticString) -> Bool {
    let end = Array("\(text)".utf8)
    while position < bytes.count {
      if bytes[position] == end[0], bytes[position...].starts(with: end) {
        position += end.count
        return true
      }
      position += 1
    }
    return false
  }

  /// Moves past the end of a string that begins here. A backslash takes the meaning from the
  /// following byte.
  ///
  /// - Returns: the bytes between the quotes.
  @discardableResult
  package mutating func string() -> ArraySlice<UInt8> {
    let quote = bytes[position]
    position += 1
    let start = position
    while let current, current != quote {
      position = min(position + (current == UInt8(ascii: "\\") ? 2 : 1), bytes.count)
    }
    defer { position = min(position + 1, bytes.count) }
    return bytes[start..<position]
  }
}

extension UInt8 {
  /// Whether the byte is a space of XML and property lists.
  var isSpace: Bool { self == UInt8(ascii: " ") || (9...13).contains(self) }

  var isLetterOrDigit: Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
      || UInt8(ascii: "0")...UInt8(ascii: "9") ~= self
  }
}

extension Data {
  /// The text in UTF-8: converted from UTF-16 or UTF-32, and otherwise unchanged, without a byte
  /// order mark.
  ///
  /// - Returns: `nil` if the text does not fit the text's encoding.
  var asUTF8: [UInt8]? {
    let first = Array(prefix(4))
    let encoding: (String.Encoding, mark: Int)? =
      if first.starts(with: [0xEF, 0xBB, 0xBF]) { (.utf8, 3) } else if first == [0xFF, 0xFE, 0, 0] {
        (.utf32LittleEndian, 4)
      } else if first == [0, 0, 0xFE, 0xFF] {
        (.utf32BigEndian, 4)
      } else if first.starts(with: [0xFF, 0xFE]) {
        (.utf16LittleEndian, 2)
      } else if first.starts(with: [0xFE, 0xFF]) {
        (.utf16BigEndian, 2)
      } else if first.starts(with: [0, 0, 0]) {
        (.utf32BigEndian, 0)
      } else if first.dropFirst().starts(with: [0, 0, 0]) {
        (.utf32LittleEndian, 0)
      } else if first.first == 0 { (.utf16BigEndian, 0) } else if first.dropFirst().first == 0 {
        (.utf16LittleEndian, 0)
      } else { nil }
    guard let encoding, encoding.0 != .utf8 else { return Array(dropFirst(encoding?.mark ?? 0)) }
    return String(data: dropFirst(encoding.mark), encoding: encoding.0).map { Array($0.utf8) }
  }
}
