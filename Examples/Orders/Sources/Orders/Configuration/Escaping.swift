// SPDX-License-Identifier: MIT

extension String {
  /// The text on a single line, whatever a client has put in: control and format characters and
  /// line separators are escaped, and the backslash, so that nothing can look like an escaped
  /// character.
  package var onOneLine: String {
    var line = ""
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        line += scalar.escaped(asASCII: true)
      default:
        if scalar == "\\" { line += "\\\\" } else { line.unicodeScalars.append(scalar) }
      }
    }
    return line
  }
}
