// SPDX-License-Identifier: MIT

import BenchmarkSupport

/// A row of the table.
struct Measurement: Codable, Sendable {
  enum Verdict: String, Codable, Sendable {
    case met
    /// Missed by no more than it is known to be.
    case known = "missed (known)"
    case missed = "MISSED"
  }

  let operation: Operation
  let instructions: Double
  /// The instructions in relation to those of hand-written code, where there is such.
  let ratioToDirect: Double?
  let budget: Budget?
  /// `nil` where there is no budget.
  let verdict: Verdict?

  init(_ operation: Operation, instructions: [Operation: Double]) {
    self.operation = operation
    let own = instructions[operation] ?? 0
    let ratio = operation.direct.flatMap { instructions[$0] }.map { own / $0 }
    self.instructions = own
    ratioToDirect = ratio
    budget = operation.budget
    verdict = operation.budget.map { budget in
      let figure = ratio ?? own
      if figure <= budget.limit + operation.tolerance { return .met }
      guard let known = budget.knownMiss else { return .missed }
      return figure <= known * Growth.tolerance ? .known : .missed
    }
  }

  /// What a budget's known miss is for: to be removed when there is none any more, and to become less.
  var remark: String? {
    guard let known = budget?.knownMiss, let verdict else { return nil }
    let figure = ratioToDirect ?? instructions
    let change = "\(operation.rawValue): \(text(known)) -> \(text(figure))"
    return switch verdict {
    case .met: "met now, no known miss any more: \(change)"
    case .missed: "missed by more than is known: \(change)"
    case .known where figure * Growth.tolerance < known: "a known miss has become less: \(change)"
    case .known: nil
    }
  }

  /// A figure of the kind that the budget is.
  private func text(_ figure: Double) -> String {
    String(figure, decimals: ratioToDirect == nil ? 0 : 2)
  }

  var cells: [String] {
    [
      operation.rawValue, String(instructions, decimals: 0),
      ratioToDirect.map(text) ?? "-", budget.map { text($0.limit) } ?? "-",
      budget.map { text($0.stretch) } ?? "-",
      verdict?.rawValue ?? "-",
    ]
  }
}

/// An operation that takes more instructions than it did.
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
