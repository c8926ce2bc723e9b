// SPDX-License-Identifier: MIT

import TestSupport

/// What happens besides the results of calls: factories that run, instances that go.
///
/// Instances are numbered in the order in which they are made. So the same history has the same text wherever it is run.
final class Ledger {
  private var events: [String] = []
  private var gone: [Int] = []
  private var retired: [Any] = []
  private var made = 0
  /// How many factories run within one another.
  private(set) var depth = 0
  /// A thread that died takes its references with it: what is alive afterwards says nothing.
  private(set) var hasDied = false

  func note(_ event: String) { events.append(event) }

  /// Keeps what was replaced within a factory until the call is over, as the core may: a resolve that is under way may be
  /// using it.
  func retire(_ replaced: Any) {
    if depth > 0 { retired.append(replaced) }
  }

  func nextNumber() -> Int {
    made += 1
    return made
  }

  func notesEnd(of number: Int) { gone.append(number) }

  func within<Result>(_ body: () throws -> Result) rethrows -> Result {
    depth += 1
    defer { depth -= 1 }
    return try body()
  }

  func notesDeath() {
    hasDied = true
    depth = 0
    note("died")
  }

  /// Has go what was replaced. No resolve is under way.
  func settle() {
    // What goes may retire what it has held.
    while !retired.isEmpty { retired = [] }
    settleReclamation()
  }

  /// What has happened since the last time. Several instances may go in any order.
  func take() -> String {
    settle()
    defer { (events, gone) = ([], []) }
    let ends = hasDied || gone.isEmpty ? [] : ["gone \(gone.sorted())"]
    return (events + ends).joined(separator: "; ")
  }
}
