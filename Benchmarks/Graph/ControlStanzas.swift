// SPDX-License-Identifier: MIT

/// One paragraph of a Debian control file: fields, whose values may span lines.
struct ControlStanza {
  /// The first line of the paragraph.
  let line: Int
  fileprivate(set) var fields: [String: String] = [:]

  func required(_ field: String, in lines: InputLines) throws(InputError) -> String {
    guard let value = fields[field], !value.isEmpty else {
      throw lines.error(
        line: line, expected: "a paragraph with a field '\(field): value'", found: "none")
    }
    return value
  }
}

/// The form of dpkg's files: paragraphs separated by empty lines, `Field: value` in each line,
/// lines that begin with a space or a tab continuing the value before.
enum ControlStanzas {
  static func parse(_ lines: InputLines) throws(InputError) -> [ControlStanza] {
    var stanzas: [ControlStanza] = []
    var current: ControlStanza?
    var field: String?
    for (number, text) in lines {
      if text.isEmpty {
        if let current { stanzas.append(current) }
        (current, field) = (nil, nil)
        continue
      }
      if text.hasPrefix(" ") || text.hasPrefix("\t") {
        guard let field else {
          throw lines.error(
            line: number, expected: "'Field: value'",
            found: "the continuation of a field that is not there")
        }
        current?.fields[field]?.append(text)
        continue
      }
      guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else {
        throw lines.error(line: number, expected: "'Field: value'", found: "'\(text)'")
      }
      let name = String(text[..<colon])
      let value = text[text.index(after: colon)...].drop { $0 == " " }
      current = current ?? ControlStanza(line: number)
      current?.fields[name] = String(value)
      field = name
    }
    if let current { stanzas.append(current) }
    return stanzas
  }
}
