// SPDX-License-Identifier: MIT

import BenchmarkSupport

/// A row of the table.
struct Measurement: Codable, Sendable {
  enum Verdict: String, Codable, Sendable {
    case met
    case missed = "MISSED"
  }

  let operation: Operation
  let instructions: Double
  /// The instructions of a dictionary behind a mutex, if a dictionary can do the operation.
  let ofMutex: Double?
  /// The ratio to the instructions of hand-written code, if such code exists.
  let ratioToDirect: Double?
  let budget: Budget?
  /// `nil` where there is no budget.
  let verdict: Verdict?

  init(_ operation: Operation, instructions: [Operation: Double]) {
    self.operation = operation
    let own = instructions[operation] ?? 0
    let ratio = operation.direct.flatMap { instructions[$0] }.map { own / $0 }
    self.instructions = own
    ofMutex = operation.mutex.flatMap { instructions[$0] }
    ratioToDirect = ratio
    budget = operation.budget
    verdict = operation.budget.map {
      (ratio ?? own) <= $0.limit + operation.tolerance ? .met : .missed
    }
  }

  /// A figure of the kind that the budget is.
  private func text(_ figure: Double) -> String {
    String(figure, decimals: ratioToDirect == nil ? 0 : 2)
  }

  var cells: [String] {
    [
      operation.rawValue, String(instructions, decimals: 0),
      ofMutex.map { String($0, decimals: 0) } ?? "-",
      ofMutex.map { String(instructions / $0, decimals: 2) } ?? "-",
      ratioToDirect.map(text) ?? "-", budget.map { text($0.limit) } ?? "-",
      budget.map { text($0.stretch) } ?? "-",
      verdict?.rawValue ?? "-",
    ]
  }
}

/// An operation that takes more instructions than before.
struct Growth {
  let operation: Operation
  let before: Double
  let now: Double

  /// Less than this may come from the memory allocator, or from where keys lie in hash tables.
  static let tolerance = 1.02

  /// `nil` when there is none.
  init?(_ now: Measurement, since baseline: [Measurement]) {
    guard
      let before = baseline.first(where: { $0.operation == now.operation }),
      now.instructions > before.instructions * Self.tolerance
    else { return nil }
    operation = now.operation
    self.before = before.instructions
    self.now = now.instructions
  }

  var text: String {
    let percent = String((now / before - 1) * 100, decimals: 1)
    return
      "\(operation.rawValue): \(String(before, decimals: 0)) -> \(String(now, decimals: 0)) "
      + "instructions, \(percent) % more"
  }
}
