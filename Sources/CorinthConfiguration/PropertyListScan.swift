// SPDX-License-Identifier: MIT

internal import Foundation

/// Counts the contents of a property list, before a decoder reads the list.
enum PropertyListScan {
  /// - Parameter data: a property list in any of the three formats.
  static func check(_ data: Data) throws(ResourceFault) {
    if isBinary(data) { return try BinaryScan.check(Array(data)) }
    guard let bytes = data.asUTF8 else {
      throw ResourceFault(at: 0, "its text is not of its encoding")
    }
    // Some decoders would read the list as text of two bytes to a character.
    if let zero = bytes.firstIndex(of: 0) {
      throw ResourceFault(at: zero, "its text has a byte that is zero")
    }
    if bytes.first(where: { !$0.isSpace }) == UInt8(ascii: "<") {
      try XMLScan.check(bytes)
    } else {
      try ASCIIScan.check(bytes)
    }
  }

  static func isBinary(_ data: Data) -> Bool { data.starts(with: "bplist".utf8) }

  /// The key as decoded. A key that the decoder refuses is returned as written.
  ///
  /// - Parameter array: a property list, an array of the key.
  static func key(_ text: ArraySlice<UInt8>, specials: String, array: (String) -> String) -> String
  {
    let written = String(decoding: text, as: UTF8.self)
    guard text.contains(where: { specials.utf8.contains($0) }) else { return written }
    let read = try? PropertyListDecoder().decode([String].self, from: Data(array(written).utf8))
    return read?.first ?? written
  }
}

/// A property list in XML.
private struct XMLScan {
  private var cursor: ByteCursor
  private var shape = ResourceShape()
  private var isInPropertyList = false
  /// The begin of a key's text.
  private var startOfKey = 0

  static func check(_ bytes: [UInt8]) throws(ResourceFault) {
    var scan = XMLScan(cursor: ByteCursor(bytes))
    try scan.run()
  }

  private init(cursor: ByteCursor) { self.cursor = cursor }

  private mutating func run() throws(ResourceFault) {
    while true {
      cursor.skip { $0 != UInt8(ascii: "<") }
      let start = cursor.position
      guard cursor.current != nil else { return }
      if cursor.starts(with: "<!--") {
        cursor.skip(past: "-->")
      } else if cursor.starts(with: "<![CDATA[") {
        cursor.skip(past: "]]>")
      } else if cursor.starts(with: "<?") {
        cursor.skip(past: "?>")
        try checkEncoding(cursor.bytes[start..<cursor.position], at: start)
      } else {
        let tag = try tag()
        if tag.first != UInt8(ascii: "!") { try visit(tag, at: start) }
      }
    }
  }

  /// Moves past a tag. Decoders disagree on brackets in a tag.
  ///
  /// - Returns: the bytes between the brackets.
  private mutating func tag() throws(ResourceFault) -> ArraySlice<UInt8> {
    cursor.advance()
    let start = cursor.position
    var quote: UInt8?
    while let current = cursor.current, current != UInt8(ascii: ">") || quote != nil {
      if "<>".utf8.contains(current) {
        throw ResourceFault(at: cursor.position, "it has a bracket inside of a tag")
      }
      if let open = quote {
        if current == open { quote = nil }
      } else if current == UInt8(ascii: "["), cursor.bytes[start] == UInt8(ascii: "!") {
        throw ResourceFault(at: start, "it declares entities or elements of its own")
      } else if "\"'".utf8.contains(current) {
        quote = current
      }
      cursor.advance()
    }
    let tag = cursor.bytes[start..<cursor.position]
    if cursor.current != nil { cursor.advance() }
    return tag
  }

  private mutating func visit(_ tag: ArraySlice<UInt8>, at start: Int) throws(ResourceFault) {
    let isEnd = tag.first == UInt8(ascii: "/")
    let name = tag.dropFirst(isEnd ? 1 : 0).prefix { !$0.isSpace && $0 != UInt8(ascii: "/") }
    let isKey = name.elementsEqual("key".utf8)
    if isEnd {
      shape.close()
      if isKey { try shape.note(key: Self.key(cursor.bytes[startOfKey..<start]), at: start) }
    } else if tag.last == UInt8(ascii: "/") {
      try shape.value(at: start)
    } else if !isInPropertyList, name.elementsEqual("plist".utf8) {
      isInPropertyList = true
    } else {
      try shape.open(section: name.elementsEqual("dict".utf8), at: start)
      if isKey { startOfKey = cursor.position }
    }
  }

  private static func key(_ text: ArraySlice<UInt8>) -> String {
    PropertyListScan.key(text, specials: "&<") { key in
      "<?xml version=\"1.0\"?><plist version=\"1.0\"><array><string>\(key)</string></array></plist>"
    }
  }

  /// Refuses an encoding in which bytes other than the byte of `<` may stand for a bracket.
  private func checkEncoding(_ text: ArraySlice<UInt8>, at start: Int) throws(ResourceFault) {
    let text = String(decoding: text, as: UTF8.self).lowercased()
    for part in text.split(separator: "encoding", omittingEmptySubsequences: false).dropFirst() {
      let name = part.drop { " \t\r\n=\"'".contains($0) }.prefix { !" \t\r\n\"'?".contains($0) }
      let known = ["utf-", "us-ascii", "ascii", "iso-8859-", "windows-125", "macintosh"]
      if name == "utf-7" || !known.contains(where: name.hasPrefix) {
        throw ResourceFault(at: start, "its encoding is not one of UTF-8, UTF-16 and UTF-32")
      }
    }
  }
}

/// A property list of the old kind: `{ key = (value, "value"); }`, or only the pairs.
private struct ASCIIScan {
  private var cursor: ByteCursor
  private var shape = ResourceShape()

  static func check(_ bytes: [UInt8]) throws(ResourceFault) {
    var scan = ASCIIScan(cursor: ByteCursor(bytes))
    try scan.run()
  }

  private init(cursor: ByteCursor) { self.cursor = cursor }

  private mutating func run() throws(ResourceFault) {
    var expectsKey = true
    try skipSpace()
    // The list has pairs without braces.
    if cursor.current != UInt8(ascii: "{"), cursor.current != UInt8(ascii: "(") {
      try shape.open(section: true, at: 0)
    }
    while let current = cursor.current {
      let start = cursor.position
      switch current {
      case UInt8(ascii: "{"):
        try shape.open(section: true, at: start)
        expectsKey = true
        cursor.advance()
      case UInt8(ascii: "("):
        try shape.open(section: false, at: start)
        expectsKey = false
        cursor.advance()
      case UInt8(ascii: "}"), UInt8(ascii: ")"):
        shape.close()
        cursor.advance()
      case UInt8(ascii: ";"):
        expectsKey = shape.isInSection
        cursor.advance()
      case UInt8(ascii: "="), UInt8(ascii: ","):
        expectsKey = false
        cursor.advance()
      case UInt8(ascii: "<"):
        try shape.value(at: start)
        cursor.skip(past: ">")
      default:
        try shape.value(at: start)
        let text = string(from: current)
        if expectsKey { try shape.note(key: Self.key(text), at: start) }
      }
      try skipSpace()
    }
  }

  /// Moves past a string, which needs quotes only for characters that are unusual in names and
  /// paths.
  private mutating func string(from first: UInt8) -> ArraySlice<UInt8> {
    if "\"'".utf8.contains(first) { return cursor.string() }
    let start = cursor.position
    cursor.advance()
    cursor.skip { "_$/:.-".utf8.contains($0) || $0.isLetterOrDigit }
    return cursor.bytes[start..<cursor.position]
  }

  /// Moves past spaces and comments.
  private mutating func skipSpace() throws(ResourceFault) {
    while true {
      cursor.skip(while: \.isSpace)
      if cursor.starts(with: "/*") {
        cursor.skip(past: "*/")
      } else if cursor.starts(with: "//") {
        let start = cursor.position
        cursor.skip { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        // Decoders disagree on whether these characters end a line.
        let comment = String(decoding: cursor.bytes[start..<cursor.position], as: UTF8.self)
        let breaks = "\u{B}\u{C}\u{1C}\u{1D}\u{1E}\u{1F}\u{85}\u{2028}\u{2029}".unicodeScalars
        if comment.unicodeScalars.contains(where: breaks.contains) {
          throw ResourceFault(
            at: start,
            "it has a comment with a control character, or a separator of lines or paragraphs")
        }
      } else {
        return
      }
    }
  }

  private static func key(_ text: ArraySlice<UInt8>) -> String {
    PropertyListScan.key(text, specials: "\\") { "(\"\($0)\")" }
  }
}
