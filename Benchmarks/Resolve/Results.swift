// SPDX-License-Identifier: MIT

import BenchmarkSupport

/// A figure of the tables, made from all rounds of one cell.
struct Figure: Codable, Sendable {
  let operation: Operation
  let column: Column
  let threads: Int
  /// Nanoseconds that a thread takes for one operation: the median of the rounds.
  let nanoseconds: Double
  /// The same of the fastest round.
  let fastest: Double
  /// The median over the rounds of this cell's time in relation to the direct one's of that round.
  let ratioToDirect: Double?
  /// The median over the rounds of the throughput of all threads in relation to that of one.
  let throughputRatio: Double?

  init(_ cell: Cell, among row: [Cell]) {
    operation = cell.operation
    column = cell.column
    threads = cell.threads
    nanoseconds = cell.samples.median
    fastest = cell.samples.min() ?? nanoseconds
    ratioToDirect =
      row.first { $0.column == .direct && $0.threads == cell.threads }
      .map { cell.medianRatio(to: $0) }
    throughputRatio =
      row.first { $0.column == cell.column && $0.threads == 1 }
      .map { $0.medianRatio(to: cell) * Double(cell.threads) }
  }
}

extension Cell {
  /// The median of the ratios of samples of the same round.
  fileprivate func medianRatio(to other: Cell) -> Double {
    zip(samples, other.samples).map { $0 / $1 }.median
  }
}

/// The tables as they are printed.
struct Tables {
  let figures: [Figure]
  let threadCounts: [Int]

  static let legend = """
    Each figure is the median of many short rounds, in which the columns of a row take turns. The
    nanoseconds are those that each thread takes for one operation.
    direct: stored properties and initialisers, without a container. Mutex, rwlock, actor: a
    dictionary behind Synchronization.Mutex, behind pthread_rwlock_t, and in an actor asked by tasks.
    The row under 'singleton' is the least that handing out a reference to it can cost.
    """

  func nanoseconds(threads: Int) -> String {
    var table = TextTable(
      ["ns per operation, \(threads) thread\(threads == 1 ? "" : "s")"]
        + Column.allCases.map(\.rawValue) + ["Corinth/direct"])
    for operation in Operation.allCases {
      let row = Column.allCases.map { figure(operation, $0, threads)?.nanoseconds }
      let ratio = figure(operation, .corinth, threads)?.ratioToDirect
      table.add(
        [operation.rawValue] + row.map { Self.text($0, decimals: 1) }
          + [Self.text(ratio, decimals: 2)])
    }
    return table.text
  }

  func throughput(threads: Int) -> String {
    var table = TextTable(
      ["throughput, \(threads) threads to 1"] + Column.allCases.map(\.rawValue))
    for operation in Operation.allCases {
      let row = Column.allCases.map { figure(operation, $0, threads)?.throughputRatio }
      table.add([operation.rawValue] + row.map { Self.text($0, decimals: 2) })
    }
    return table.text
  }

  private func figure(_ operation: Operation, _ column: Column, _ threads: Int) -> Figure? {
    figures.first {
      $0.operation == operation && $0.column == column && $0.threads == threads
    }
  }

  private static func text(_ number: Double?, decimals: Int) -> String {
    number.map { String($0, decimals: decimals) } ?? "-"
  }
}
