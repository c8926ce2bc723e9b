// SPDX-License-Identifier: MIT

/// What a row of the tables may take in its first column, on one thread.
public enum RowBudget<Column: TableColumn>: Sendable {
  case nanoseconds(Double)
  /// A multiple of what another column takes in the same rounds.
  case times(Double, Column)
  /// Two threads do as many times more than one as another column's do.
  case scaling(as: Column)
}

/// A row's budget beside its figure.
public struct BudgetVerdict: Codable, Sendable {
  public let operation: String
  /// What the figure is, such as `ns`.
  public let unit: String
  public let figure: Double
  public let limit: Double
  public let isMet: Bool

  /// The budgets of the rows that were measured.
  public static func all<Operation, Column>(
    of figures: [Figure<Operation, Column>], _ budget: (Operation) -> [RowBudget<Column>]
  ) -> [BudgetVerdict] {
    Operation.allCases.flatMap { operation in
      budget(operation).compactMap { Self($0, operation, among: figures) }
    }
  }

  /// The budgets as they are printed.
  public static func table(_ verdicts: [BudgetVerdict]) -> String {
    var table = TextTable(["budgets, 1 thread unless said", "of", "figure", "limit", "budget"])
    for verdict in verdicts {
      let decimals = verdict.limit < 10 ? 2 : 0
      table.add([
        verdict.operation, verdict.unit, String(verdict.figure, decimals: decimals),
        String(verdict.limit, decimals: decimals), verdict.isMet ? "met" : "missed",
      ])
    }
    return table.text
  }

  private init?<Operation, Column>(
    _ budget: RowBudget<Column>, _ operation: Operation,
    among figures: [Figure<Operation, Column>]
  ) {
    func figure(_ column: Column, threads: Int = 1) -> Figure<Operation, Column>? {
      figures.first {
        $0.operation == operation && $0.column == column && $0.threads == threads
      }
    }
    guard let own = figure(.corinth) else { return nil }
    self.operation = operation.rawValue
    switch budget {
    case .nanoseconds(let limit):
      (unit, self.figure, self.limit) = ("ns", own.nanoseconds, limit)
      isMet = own.nanoseconds <= limit
    case .times(let limit, let column):
      guard let other = figure(column) else { return nil }
      // The rounds' own ratios are kept for hand-written code only.
      let ratio =
        column == .direct
        ? own.ratioToDirect ?? .nan : own.nanoseconds / other.nanoseconds
      (unit, self.figure, self.limit) = ("times \(column.rawValue)", ratio, limit)
      isMet = ratio <= limit
    case .scaling(let column):
      guard let own = figure(.corinth, threads: 2)?.throughputRatio,
        let other = figure(column, threads: 2)?.throughputRatio
      else { return nil }
      (unit, self.figure, self.limit) = ("2 threads to 1, as \(column.rawValue)", own, other)
      isMet = own >= other
    }
  }
}
