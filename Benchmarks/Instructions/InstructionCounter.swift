// SPDX-License-Identifier: MIT

import BenchmarkSupport

/// Counts the instructions of an operation by running this program under callgrind: the load of the
/// machine has no influence on the count.
struct InstructionCounter: Sendable {
  /// The options by which the program gives the copy its task.
  static let operationOption = "--operation"
  static let countOption = "--count"

  private let program: StrippedCopy

  /// Makes a copy of this program for valgrind.
  init() throws { program = try StrippedCopy() }

  /// Removes the copy.
  func cleanUp() { program.remove() }

  /// The instructions of one operation.
  func count(_ operation: Operation) throws -> Double {
    let repetitions = operation.repetitions
    let once = try total(operation, count: repetitions)
    let twice = try total(operation, count: 2 * repetitions)
    return Double(twice - once) / Double(repetitions)
  }

  /// The counted function, which callgrind finds by its name: the start of a program takes some
  /// thousand instructions more in one run than in the next. For an asynchronous operation, which
  /// runs on further threads, callgrind counts the whole program.
  @inline(never)
  static func countedRun(_ loop: Operation.Loop, _ count: Int) throws { try loop(count) }

  private func total(_ operation: Operation, count: Int) throws -> Int {
    let (figures, output) = try program.collect(
      during: operation.isAsynchronous ? nil : "countedRun",
      arguments: [Self.operationOption, operation.rawValue, Self.countOption, "\(count)"])
    guard let total = figures?.first else {
      throw CountingError(operation: operation, output: output)
    }
    return total
  }
}

extension Operation {
  /// The operation is done this often, and twice as often. The difference leaves out the first,
  /// slow resolves, and further work of the process if the whole process is counted.
  fileprivate var repetitions: Int {
    // Every thousand has a separate container, whose place in the heap changes the count by some
    // instructions.
    self == .registeringThousand ? 40_000 : isAsynchronous ? 20_000 : 2000
  }
}

/// Reports an operation that ended valgrind, with valgrind's output.
struct CountingError: Error, CustomStringConvertible {
  let operation: Operation
  let output: String

  var description: String { "valgrind failed on '\(operation.rawValue)':\n\(output)" }
}
