// SPDX-License-Identifier: MIT

/// Figures as they are printed.
struct FigureTables<Operation: TableLabel, Column: TableColumn> {
  private let figures: [Figure<Operation, Column>]
  private let threadCounts: [Int]

  init(_ figures: [Figure<Operation, Column>], threadCounts: [Int]) {
    self.figures = figures
    self.threadCounts = threadCounts
  }

  /// A table of the times for every number of threads, then a table of the throughput for every
  /// number above 1.
  var sections: [String] {
    threadCounts.map { nanoseconds(threads: $0) }
      + threadCounts.dropFirst().map { throughput(threads: $0) }
  }

  private func nanoseconds(threads: Int) -> String {
    var table = TextTable(
      ["ns per operation, \(threads) thread\(threads == 1 ? "" : "s")"]
        + Column.allCases.map(\.rawValue)
        + ["\(Column.corinth.rawValue)/\(Column.direct.rawValue)"])
    for operation in Operation.allCases {
      let row = Column.allCases.map { figure(operation, $0, threads)?.nanoseconds }
      let ratio = figure(operation, .corinth, threads)?.ratioToDirect
      table.add(
        [operation.rawValue] + row.map { Self.text($0, decimals: 1) }
          + [Self.text(ratio, decimals: 2)])
    }
    return table.text
  }

  private func throughput(threads: Int) -> String {
    var table = TextTable(["operation"] + Column.allCases.map(\.rawValue))
    for operation in Operation.allCases {
      let row = Column.allCases.map { Self.throughput(figure(operation, $0, threads)) }
      table.add([operation.rawValue] + row)
    }
    return "million operations a second, \(threads) threads (to 1)\n\(table.text)"
  }

  /// The operations of all threads, and in brackets the ratio to the operations of one thread. Two
  /// digits are enough: the table has to fit the column of a page.
  private static func throughput(_ figure: Figure<Operation, Column>?) -> String {
    guard let figure else { return "-" }
    let millions = figure.operationsPerSecond / 1e6
    let rate = String(millions, decimals: millions < 9.95 ? 1 : 0)
    return "\(rate) (\(text(figure.throughputRatio, decimals: 2)))"
  }

  private func figure(
    _ operation: Operation, _ column: Column, _ threads: Int
  ) -> Figure<Operation, Column>? {
    figures.first {
      $0.operation == operation && $0.column == column && $0.threads == threads
    }
  }

  private static func text(_ number: Double?, decimals: Int) -> String {
    number.map { String($0, decimals: decimals) } ?? "-"
  }
}
