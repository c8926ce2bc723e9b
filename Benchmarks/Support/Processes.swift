// SPDX-License-Identifier: MIT

import Foundation

/// The result of a command.
public struct ProcessResult: Sendable {
  public let status: Int32
  public let output: String
  public let errorOutput: String
}

/// Runs a command found on the path and waits for it.
///
/// A missing command ends with status 127, as `env` reports.
public func run(_ command: [String]) throws -> ProcessResult {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = command
  let output = Pipe()
  // A file, because two pipes could not be read one after the other without a risk of both filling.
  let errorFile = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  try Data().write(to: errorFile)
  defer { try? FileManager.default.removeItem(at: errorFile) }
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = output
  process.standardError = try FileHandle(forWritingTo: errorFile)
  try process.run()
  let printed = try output.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return ProcessResult(
    status: process.terminationStatus,
    output: String(decoding: printed, as: UTF8.self),
    errorOutput: try String(contentsOf: errorFile, encoding: .utf8))
}
