// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// What happens besides the results of calls: factories that run, instances that go.
///
/// Instances are numbered in the order in which they are made. So the same history has the same
/// text wherever it is run.
final class Ledger {
  private var events: [String] = []
  /// The task that has built an instance may be the last to let go of the instance, on a thread of
  /// its own.
  private let gone = Locked<[Int]>([])
  private var retired: [Any] = []
  private var made = 0
  /// How many factories run within one another.
  private(set) var depth = 0
  /// A thread that died takes its references with it: what is alive afterwards says nothing.
  private(set) var hasDied = false

  func note(_ event: String) { events.append(event) }

  /// Keeps what was replaced within a factory until the call is over, as the core may: a resolve
  /// that is under way may be using it.
  func retire(_ replaced: Any) {
    if depth > 0 { retired.append(replaced) }
  }

  func nextNumber() -> Int {
    made += 1
    return made
  }

  func notesEnd(of number: Int) { gone.withLock { $0.append(number) } }

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

  /// The result of a call, and what has happened since the last call. Several instances may go in
  /// any order.
  ///
  /// - Parameter expected: what the model has shown. A task that has built an instance holds the
  ///   instance for a moment after the caller has it, so an expected end is waited for.
  func outcome(_ result: String, expecting expected: String? = nil) -> String {
    defer {
      events = []
      gone.withLock { $0 = [] }
    }
    settle()
    guard let expected, expected.contains("gone [") else { return text(of: result) }
    for _ in 0..<1_000 where text(of: result) != expected {
      Thread.sleep(forTimeInterval: 0.001)
      settle()
    }
    return text(of: result)
  }

  private func text(of result: String) -> String {
    let gone = gone.withLock { $0.sorted() }
    let all = events + (hasDied || gone.isEmpty ? [] : ["gone \(gone)"])
    return all.isEmpty ? result : "\(result) [\(all.joined(separator: "; "))]"
  }
}
