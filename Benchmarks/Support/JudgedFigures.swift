// SPDX-License-Identifier: MIT

/// The figures of all rows of a benchmark, and the verdicts of the rows that have a limit.
///
/// A row that is further beyond its limit than "close" is measured again, twice at most, and only
/// then called missed. The least ratio counts. An operation that has become slower exceeds the
/// limit in each measurement; the load of other programs comes and goes, and can lift a row of a
/// few nanoseconds far above its limit. The median of three measurements would judge the load that
/// lasts for two of the three. The tables show the measurement that counts, and the summary shows
/// the ratios of all.
public struct JudgedFigures<Operation: TableLabel, Column: TableColumn>: Codable, Sendable {
  private var figures: [Figure<Operation, Column>]
  private(set) var verdicts: [RowVerdict]

  /// - Parameters:
  ///   - groups: operations that are measured together, see ``measureFigures``.
  ///   - seconds: about how long to measure each row once.
  ///   - limit: the limit of a row, see ``RowVerdict``.
  public init(
    _ columns: [Column: [Operation: Workload]], inAlternation groups: [[Operation]],
    threadCounts: [Int], seconds: Double, limit: @Sendable (Operation) -> Double?
  ) async throws {
    try await self.init(groups, limit) { groups in
      try await measureFigures(
        columns, inAlternation: groups, threadCounts: threadCounts, seconds: seconds)
    }
  }

  /// - Parameter measure: measures the rows of groups, once.
  init(
    _ groups: [[Operation]], _ limit: (Operation) -> Double?,
    measure: ([[Operation]]) async throws -> [Figure<Operation, Column>]
  ) async rethrows {
    figures = try await measure(groups)
    verdicts = RowVerdict.all(of: figures, limit)
    for _ in 0..<2 {
      let missed = verdicts.filter { $0.result == .missed }.map(\.operation)
      let missedGroups = groups.filter { $0.contains { missed.contains($0.rawValue) } }
      if missedGroups.isEmpty { return }
      let newFigures = try await measure(missedGroups)
      for verdict in RowVerdict.all(of: newFigures, limit) where missed.contains(verdict.operation)
      {
        add(verdict, newFigures)
      }
    }
  }

  /// Adds a further measurement of a row.
  private mutating func add(_ verdict: RowVerdict, _ newFigures: [Figure<Operation, Column>]) {
    verdicts = verdicts.map { earlier in
      guard earlier.operation == verdict.operation else { return earlier }
      if verdict.ratio < earlier.ratio {
        let row = newFigures.filter { $0.operation.rawValue == verdict.operation }
        figures = figures.filter { $0.operation.rawValue != verdict.operation } + row
      }
      return earlier.measuredAgain(verdict.ratio)
    }
  }

  /// The tables of the figures, the table of the verdicts, the legend, and the summary.
  public func text(threadCounts: [Int], legend: String, of subject: String) -> String {
    let tables = FigureTables(figures, threadCounts: threadCounts).sections
    return
      (tables + [RowVerdict.table(verdicts), legend, RowVerdict.summary(verdicts, of: subject)])
      .joined(separator: "\n\n")
  }
}
