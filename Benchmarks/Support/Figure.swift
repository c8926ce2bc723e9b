// SPDX-License-Identifier: MIT

/// A figure of the tables, made from all rounds of one cell.
public struct Figure<Operation: TableLabel, Column: TableColumn>: Codable, Sendable {
  public let operation: Operation
  public let column: Column
  public let threads: Int
  /// Nanoseconds of a thread for one operation: the median of the rounds.
  public let nanoseconds: Double
  /// Nanoseconds of a thread for one operation in the fastest round.
  public let fastest: Double
  /// How many operations all threads together make in a second.
  public var operationsPerSecond: Double { Double(threads) * 1e9 / nanoseconds }
  /// The median over the rounds of this cell's time in relation to the direct one's of that round.
  public let ratioToDirect: Double?
  /// As ``ratioToDirect``, in relation to the dictionary's.
  public let ratioToMutex: Double?
  /// As ``ratioToDirect``, in relation to this column's without behaviors.
  public let ratioToUnobserved: Double?
  /// The median over the rounds of the throughput of all threads in relation to that of one.
  public let throughputRatio: Double?
}

extension Figure {
  init(_ cell: Cell<Operation, Column>, among cells: [Cell<Operation, Column>]) {
    let row = cells.filter { $0.operation == cell.operation }
    operation = cell.operation
    column = cell.column
    threads = cell.threads
    nanoseconds = cell.samples.median
    fastest = cell.samples.min() ?? nanoseconds
    func ratio(to column: Column, of operation: Operation? = cell.operation) -> Double? {
      cells.first {
        $0.operation == operation && $0.column == column && $0.threads == cell.threads
      }
      .map { cell.medianRatio(to: $0) }
    }
    (ratioToDirect, ratioToMutex) = (ratio(to: .direct), ratio(to: .mutex))
    ratioToUnobserved = ratio(to: cell.column, of: cell.operation.unobserved)
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
