// SPDX-License-Identifier: MIT

/// A dependency graph as a text file: in each line a package, a tab, and the packages that it
/// depends on, separated by spaces. Empty lines and lines that begin with `#` do not count.
enum TabSeparatedGraph {
  static func parse(_ lines: InputLines) throws(InputError) -> [PackageEntry] {
    var entries: [PackageEntry] = []
    var lineOfPackage: [String: Int] = [:]
    for (number, text) in lines where !text.isEmpty && !text.hasPrefix("#") {
      let entry = try parse(text, line: number, of: lines)
      if let first = lineOfPackage.updateValue(number, forKey: entry.name) {
        throw lines.error(
          line: number, expected: "each package once",
          found: "'\(entry.name)' again, after line \(first)")
      }
      entries.append(entry)
    }
    return entries
  }

  private static func parse(
    _ text: String, line: Int, of lines: InputLines
  ) throws(InputError) -> PackageEntry {
    let form = "package<TAB>dependencies separated by spaces"
    let fields = text.split(separator: "\t", omittingEmptySubsequences: false)
    guard fields.count == 2 else {
      let tabs = fields.count == 1 ? "no tab" : "\(fields.count - 1) tabs"
      throw lines.error(line: line, expected: form, found: "\(tabs) in '\(text)'")
    }
    guard !fields[0].isEmpty else {
      throw lines.error(
        line: line, expected: "a package before the tab", found: "nothing before '\(fields[1])'")
    }
    guard !fields[0].contains(" ") else {
      throw lines.error(
        line: line, expected: "a package without spaces before the tab", found: "'\(fields[0])'")
    }
    return PackageEntry(
      name: String(fields[0]), dependencies: fields[1].split(separator: " ").map(String.init))
  }
}
