// SPDX-License-Identifier: MIT

/// Measures every operation of every column, by every number of threads.
///
/// - Parameters:
///   - groups: operations that are measured together: the cells take turns, so that other work of
///     the machine hits all cells alike.
///   - seconds: about how long to measure.
func measureFigures<Operation, Column>(
  _ columns: [Column: [Operation: Workload]], inAlternation groups: [[Operation]],
  threadCounts: [Int], seconds: Double
) async throws -> [Figure<Operation, Column>] {
  let cellCount = columns.values.map(\.count).reduce(0, +) * threadCounts.count
  // Long beside what starting a thread takes, short beside a time slice of the scheduler.
  let roundNanoseconds = 3e6
  let rounds = max(5, Int(seconds * 1e9 / (Double(cellCount) * roundNanoseconds)))

  let progress = ProgressLine()
  var figures: [Figure<Operation, Column>] = []
  for (index, group) in groups.enumerated() {
    progress.show("\(index + 1)/\(groups.count) \(group[0].rawValue)")
    let cells = group.flatMap { operation in
      Column.allCases.flatMap { column in
        threadCounts.compactMap { threads in
          columns[column]?[operation].map { Cell(operation, column, threads: threads, $0) }
        }
      }
    }
    let measured = try await measureInAlternation(
      cells, rounds: rounds, roundNanoseconds: roundNanoseconds)
    figures += measured.map { Figure($0, among: measured) }
  }
  progress.clear()
  return figures
}

private func measureInAlternation<Operation, Column>(
  _ cells: [Cell<Operation, Column>], rounds: Int, roundNanoseconds: Double
) async throws -> [Cell<Operation, Column>] {
  var cells = cells
  for index in cells.indices { try await cells[index].calibrate(to: roundNanoseconds) }
  for round in 0..<rounds {
    let order = Array(cells.indices)
    for index in round.isMultiple(of: 2) ? order : order.reversed() {
      try await cells[index].sample()
    }
  }
  return cells
}
