// SPDX-License-Identifier: MIT

extension String {
  /// JSON without what is between `//` and the end of a line, or between `/*` and `*/`, outside of strings.
  var withoutComments: String {
    let bytes = Array(utf8)
    var kept: [UInt8] = []
    var position = 0
    while position < bytes.count {
      let current = bytes[position]
      let next = position + 1 < bytes.count ? bytes[position + 1] : 0
      let end: Int? =
        switch (current, next) {
        case (UInt8(ascii: "\""), _): Self.endOfString(in: bytes, from: position)
        case (UInt8(ascii: "/"), UInt8(ascii: "/")):
          bytes[position...].firstIndex { "\r\n".utf8.contains($0) } ?? bytes.count
        case (UInt8(ascii: "/"), UInt8(ascii: "*")): Self.endOfComment(in: bytes, from: position)
        default: position + 1
        }
      // A comment without an end: no JSON.
      guard let end else { return String(decoding: kept + bytes[position...], as: UTF8.self) }
      if current == UInt8(ascii: "/"), end > position + 1 {
        kept.append(UInt8(ascii: " "))
      } else {
        kept += bytes[position..<end]
      }
      position = end
    }
    return String(decoding: kept, as: UTF8.self)
  }

  private static func endOfString(in bytes: [UInt8], from start: Int) -> Int {
    var position = start + 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return Swift.min(position + 1, bytes.count)
  }

  private static func endOfComment(in bytes: [UInt8], from start: Int) -> Int? {
    var position = start + 2
    while position + 1 < bytes.count {
      if bytes[position] == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") {
        return position + 2
      }
      position += 1
    }
    return nil
  }
}
