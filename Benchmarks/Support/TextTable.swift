// SPDX-License-Identifier: MIT

import Foundation

/// A table of fixed-width columns: the first is aligned to the left, the others to the right.
public struct TextTable: Sendable {
  private var rows: [[String]]

  public init(_ titles: [String]) {
    rows = [titles]
  }

  public mutating func add(_ cells: [String]) {
    rows.append(cells)
  }

  /// The table, with a rule under the titles and without a line break at the end.
  public var text: String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var lines = rows.map { cells in
      cells.indices.map { column in
        column == 0
          ? cells[column].padded(to: widths[column])
          : cells[column].padded(to: widths[column], atStart: true)
      }.joined(separator: "  ")
    }
    lines.insert(widths.map { String(repeating: "-", count: $0) }.joined(separator: "  "), at: 1)
    return lines.joined(separator: "\n")
  }
}

extension String {
  /// The string with spaces added until it is `width` characters long.
  public func padded(to width: Int, atStart: Bool = false) -> String {
    let padding = String(repeating: " ", count: max(0, width - count))
    return atStart ? padding + self : self + padding
  }

  /// A number with a fixed count of decimals.
  public init(_ number: Double, decimals: Int) {
    self.init(format: "%.\(decimals)f", number)
  }
}
