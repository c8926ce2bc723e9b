// SPDX-License-Identifier: MIT

internal import CorinthConfiguration

extension String {
  /// JSON without the text between `//` and the end of a line, or between `/*` and `*/`, outside of
  /// strings.
  var withoutComments: String {
    var cursor = ByteCursor(Array(utf8))
    var kept: [UInt8] = []
    while let current = cursor.current {
      let start = cursor.position
      if cursor.starts(with: "//") {
        cursor.skip { !"\r\n".utf8.contains($0) }
        kept.append(UInt8(ascii: " "))
      } else if cursor.starts(with: "/*") {
        cursor.advance()
        cursor.advance()
        // A comment without an end is not JSON.
        guard cursor.skip(past: "*/") else {
          kept += cursor.bytes[start...]
          break
        }
        kept.append(UInt8(ascii: " "))
      } else {
        if current == UInt8(ascii: "\"") { cursor.string() } else { cursor.advance() }
        kept += cursor.bytes[start..<cursor.position]
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }
}
