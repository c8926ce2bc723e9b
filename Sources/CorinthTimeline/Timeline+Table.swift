// SPDX-License-Identifier: MIT

extension Timeline {
  /// The constructions as a table in text, with a bar for every construction.
  ///
  /// ```swift
  /// print(timeline.table())
  /// ```
  ///
  /// Constructions of the critical path are marked with `*`, failed constructions with `!`. Times
  /// are in milliseconds.
  ///
  /// - Parameter width: the number of characters of the bars, at least 10.
  /// - Returns: the text, with a final line break.
  /// - Complexity: O(*n* + *w*) in the numbers of constructions and waits.
  ///
  /// Takes the timeline's lock for a moment.
  public func table(width: Int = 40) -> String {
    let entries = entries
    let whole = entries.compactMap(\.end).max() ?? .zero
    let critical = Set(entries.criticalPath)
    var rows = [["", "construction", "lane", "start", "took", "", "waited for"]]
    for (index, entry) in entries.enumerated() {
      rows.append([
        entry.hasFailed ? "!" : critical.contains(index) ? "*" : "", "\(entry.key)",
        "\(entry.lane)", entry.start.inMilliseconds, entry.duration?.inMilliseconds ?? "running",
        entry.bar(of: whole, width: max(10, width)),
        entry.waitedFor.map { "\(entries[$0].key)" }.joined(separator: ", "),
      ])
    }
    // The last column can be as long as all rows together.
    let widths = rows[0].indices.dropLast().map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    var lines = rows.map { row in
      let padded = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      let cells = padded + row.suffix(1)
      let line = cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
    let omitted = omittedEntries
    if omitted > 0 { lines.append("and \(omitted) more") }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Timeline.Entry {
  fileprivate func bar(of whole: Duration, width: Int) -> String {
    func column(_ time: Duration) -> Int {
      whole == .zero ? 0 : min(width - 1, Int(time / whole * Double(width)))
    }
    let (begin, last) = (column(start), column(end ?? whole))
    return String(repeating: " ", count: begin)
      + String(repeating: "#", count: max(0, last - begin) + 1)
  }
}

extension Duration {
  fileprivate var inMilliseconds: String {
    let hundredths = Int64((self / .microseconds(10)).rounded())
    let fraction = "\(100 + hundredths % 100)".dropFirst()
    return "\(hundredths / 100).\(fraction)"
  }
}
