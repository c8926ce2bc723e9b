// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Foundation

/// Counts the instructions of an operation by running this program under callgrind, which counts them
/// whatever else the machine does.
struct InstructionCounter: Sendable {
  /// The options by which the program tells its copy what to do.
  static let operationOption = "--operation"
  static let countOption = "--count"

  /// The operation is done this often, and twice as often; the difference leaves out the first, slow resolves.
  private let repetitions = 2000
  private let program: URL

  /// Makes a copy of this program for valgrind; ends the program with a sentence when a tool that this
  /// needs is missing.
  init() throws {
    for tool in ["valgrind", "strip"] where try run([tool, "--version"]).status != 0 {
      fail("'\(tool)' is missing: apt-get install valgrind binutils.")
    }
    guard let original = Bundle.main.executablePath else {
      fail("Cannot find this program's file.")
    }
    program = FileManager.default.temporaryDirectory
      .appendingPathComponent("corinth-instructions-\(UUID().uuidString)")
    // Without debug information, whose form valgrind does not know and stops at.
    let result = try run(["strip", "--strip-debug", "-o", program.path, original])
    if result.status != 0 { fail("'strip' failed: \(result.errorOutput)") }
  }

  /// Removes the copy.
  func cleanUp() {
    try? FileManager.default.removeItem(at: program)
  }

  /// The instructions of one operation.
  func count(_ operation: Operation) throws -> Double {
    let once = try total(operation, count: repetitions)
    let twice = try total(operation, count: 2 * repetitions)
    return Double(twice - once) / Double(repetitions)
  }

  /// What callgrind counts, which finds it by its name: the start of a program takes some thousand instructions more in
  /// one run than in the next. Of an asynchronous operation, which other threads do, it counts the whole program.
  @inline(never)
  static func countedRun(_ loop: Operation.Loop, _ count: Int) throws { try loop(count) }

  private func total(_ operation: Operation, count: Int) throws -> Int {
    // Dictionaries would otherwise be laid out differently in each process.
    let part = ["--collect-atstart=no", "--toggle-collect=*countedRun*"]
    let result = try run(
      [
        "SWIFT_DETERMINISTIC_HASHING=1",
        "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
      ] + (operation.isAsynchronous ? [] : part) + [
        program.path, Self.operationOption, operation.rawValue, Self.countOption, "\(count)",
      ])
    guard result.status == 0, let total = Self.collected(in: result.errorOutput) else {
      throw CountingError(operation: operation, output: result.errorOutput)
    }
    return total
  }

  /// The figure in callgrind's line `Collected : 123`.
  private static func collected(in output: String) -> Int? {
    let line = output.split(separator: "\n").first { $0.contains("Collected :") }
    return line?.split(separator: " ").last.flatMap { Int($0) }
  }
}

/// Says that valgrind did not get through an operation, and what it printed.
struct CountingError: Error, CustomStringConvertible {
  let operation: Operation
  let output: String

  var description: String { "valgrind failed on '\(operation.rawValue)':\n\(output)" }
}
