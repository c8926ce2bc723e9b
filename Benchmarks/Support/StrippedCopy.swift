// SPDX-License-Identifier: MIT

import Foundation

/// A copy of this program for valgrind, without debug information, whose form valgrind does not
/// know and stops at.
public struct StrippedCopy: Sendable {
  private let file: URL

  public var path: String { file.path }

  /// Ends the program with a sentence if a needed tool is missing.
  public init() throws {
    for tool in ["valgrind", "strip"] where try run([tool, "--version"]).status != 0 {
      fail("'\(tool)' is missing: apt-get install valgrind binutils.")
    }
    guard let original = Bundle.main.executablePath else {
      fail("Cannot find this program's file.")
    }
    file = FileManager.default.temporaryDirectory
      .appendingPathComponent("corinth-stripped-\(UUID().uuidString)")
    let result = try run(["strip", "--strip-debug", "-o", file.path, original])
    if result.status != 0 { fail("'strip' failed: \(result.errorOutput)") }
  }

  /// The counts of callgrind while a function runs, or for the whole program: the figures in the
  /// line `Collected : 1 2`.
  ///
  /// - Parameters:
  ///   - function: a part of the function's symbol.
  ///   - options: of callgrind.
  /// - Returns: `nil` if the program fails.
  public func collect(
    during function: String?, options: [String] = [], arguments: [String]
  ) throws -> (figures: [Int]?, output: String) {
    let part = function.map { ["--collect-atstart=no", "--toggle-collect=*\($0)*"] } ?? []
    // Dictionaries would otherwise be laid out differently in each process.
    let result = try run(
      [
        "SWIFT_DETERMINISTIC_HASHING=1",
        "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
      ] + part + options + [path] + arguments)
    let output = result.errorOutput
    guard result.status == 0,
      let line = output.split(separator: "\n").first(where: { $0.contains("Collected :") })
    else { return (nil, output) }
    return (line.split(separator: ":")[1].split(separator: " ").compactMap { Int($0) }, output)
  }

  public func remove() {
    try? FileManager.default.removeItem(at: file)
  }
}
