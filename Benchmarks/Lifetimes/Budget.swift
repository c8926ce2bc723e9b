// SPDX-License-Identifier: MIT

import BenchmarkSupport

/// A figure that is to stay below a limit.
struct Budget: Codable, Sendable {
  let what: String
  let figure: Double
  let limit: Double
  /// What would be better still.
  let stretch: Double?

  /// The budgets, for one thread.
  static func all(of figures: [Figure<Operation, Column>]) -> [Budget] {
    func nanoseconds(_ operation: Operation, _ column: Column) -> Double {
      let figure = figures.first {
        $0.operation == operation && $0.column == column && $0.threads == 1
      }
      return figure?.nanoseconds ?? .nan
    }
    let asyncHit = nanoseconds(.asyncSingleton, .corinth) - nanoseconds(.emptyCall, .direct)
    return [
      Budget(
        what: "\(Operation.requestScope.rawValue), ns",
        figure: nanoseconds(.requestScope, .corinth), limit: 400, stretch: 200),
      Budget(
        what: "(\(Operation.asyncSingleton.rawValue) - empty call) / synchronous",
        figure: asyncHit / nanoseconds(.singleton, .corinth), limit: 3, stretch: nil),
    ]
  }

  /// The budgets as they are printed.
  static func table(_ budgets: [Budget]) -> String {
    var table = TextTable(["1 thread", "figure", "budget", "stretch", "verdict"])
    for budget in budgets {
      table.add([
        budget.what, String(budget.figure, decimals: 2), String(budget.limit, decimals: 0),
        budget.stretch.map { String($0, decimals: 0) } ?? "-", budget.verdict,
      ])
    }
    return table.text
  }

  private var verdict: String {
    if let stretch, figure <= stretch { return "stretch" }
    return figure <= limit ? "met" : "missed"
  }
}
