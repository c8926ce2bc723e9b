// SPDX-License-Identifier: MIT

internal import Foundation

/// Counts the contents of JSON, before a decoder reads the JSON.
struct JSONScan {
  private var cursor: ByteCursor
  private var shape = ResourceShape()

  private init(_ bytes: [UInt8]) { cursor = ByteCursor(bytes) }

  static func check(_ bytes: [UInt8]) throws(ResourceFault) {
    var scan = JSONScan(bytes)
    try scan.run()
  }

  private mutating func run() throws(ResourceFault) {
    var expectsKey = false
    while let current = cursor.current {
      let start = cursor.position
      switch current {
      case UInt8(ascii: "\""):
        try shape.value(at: start)
        let text = cursor.string()
        if expectsKey { try shape.note(key: Self.key(text), at: start) }
        continue
      case UInt8(ascii: "{"):
        try shape.open(section: true, at: start)
        expectsKey = true
      case UInt8(ascii: "["):
        try shape.open(section: false, at: start)
        expectsKey = false
      case UInt8(ascii: "}"), UInt8(ascii: "]"): shape.close()
      case UInt8(ascii: ","): expectsKey = shape.isInSection
      case UInt8(ascii: ":"): expectsKey = false
      case _ where current.isSpace: break
      default:
        try shape.value(at: start)
        cursor.skip { !$0.isSpace && !#""{}[],:"#.utf8.contains($0) }
        continue
      }
      cursor.advance()
    }
  }

  /// The key as decoded. A key that the decoder refuses is returned as written.
  private static func key(_ text: ArraySlice<UInt8>) -> String {
    let written = String(decoding: text, as: UTF8.self)
    guard text.contains(UInt8(ascii: "\\")) else { return written }
    let read = try? JSONDecoder().decode([String].self, from: Data("[\"\(written)\"]".utf8))
    return read?.first ?? written
  }
}
