// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Foundation

/// Compiles programs as SwiftPM does in a release build, against the library beside this tool.
struct Compiler {
  /// The processor time of the compiler, and the size of the object file.
  struct Output {
    let milliseconds: Double
    let bytes: Int
  }

  private let directory: URL
  private let importOptions: [String]

  /// - Parameter products: the folder with the built library: `.build/release`.
  init(products: URL) throws {
    let moduleMap = products.appendingPathComponent("CCorinth.build/module.modulemap").path
    guard FileManager.default.fileExists(atPath: moduleMap) else {
      fail("There is no built library in '\(products.path)': 'swift build -c release' makes one.")
    }
    importOptions = [
      "-I", products.appendingPathComponent("Modules").path, "-I", "Sources/CConcurrencyKit",
      "-Xcc", "-fmodule-map-file=\(moduleMap)",
    ]
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("corinth-compile-time-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  /// Removes what the compiler has made.
  func cleanUp() {
    try? FileManager.default.removeItem(at: directory)
  }

  /// Compiles a source file without linking it.
  func compile(_ source: String) throws -> Output {
    let file = directory.appendingPathComponent("services.swift")
    let object = directory.appendingPathComponent("services.o").path
    try source.write(to: file, atomically: true, encoding: .utf8)
    let before = processorMilliseconds()
    try runOrFail(
      [
        "swiftc", "-O", "-whole-module-optimization", "-swift-version", "6", "-parse-as-library",
        "-module-name", "Services", "-c", file.path, "-o", object,
      ] + importOptions)
    let milliseconds = processorMilliseconds() - before
    return Output(milliseconds: milliseconds, bytes: try textSize(of: object))
  }

  /// The first figure below the heading of `size`: code and constants, without data and debug
  /// information.
  private func textSize(of object: String) throws -> Int {
    let lines = try runOrFail(["size", object]).split(separator: "\n")
    guard lines.count > 1, let size = lines[1].split(whereSeparator: \.isWhitespace).first,
      let bytes = Int(size)
    else { fail("'size' printed something unknown.") }
    return bytes
  }

  @discardableResult
  private func runOrFail(_ command: [String]) throws -> String {
    let result = try run(command)
    if result.status != 0 { fail("'\(command[0])' failed: \(result.errorOutput)") }
    return result.output
  }

  /// The processor time of all commands that have ended. The load of other programs influences the
  /// processor time less than the clock.
  private func processorMilliseconds() -> Double {
    var usage = tms()
    _ = unsafe times(&usage)
    let ticks = Double(usage.tms_cutime + usage.tms_cstime)
    return ticks / Double(sysconf(Int32(_SC_CLK_TCK))) * 1e3
  }
}
