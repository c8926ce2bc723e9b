// SPDX-License-Identifier: MIT

import Foundation

/// `OrdersService` in a process of its own.
final class RunningProgram: Sendable {
  let port: UInt16
  private let process: Process
  private let output: Guarded<String>
  private let reader: FileHandle

  /// Starts it, and waits until it listens.
  ///
  /// - Parameter line: what else the log has to say before this returns. There is no port then.
  nonisolated(nonsending)
    static func start(
      _ variables: [String: String], until line: String = "listening on port "
    ) async throws -> RunningProgram
  {
    try await onThreads(1) { _ in try RunningProgram(variables, until: line) }[0]
  }

  private init(_ variables: [String: String], until line: String) throws {
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent("OrdersService")
    process.environment = variables
    let pipe = Pipe()
    process.standardError = pipe
    try process.run()
    let output = Guarded("")
    var found: Substring?
    while found == nil {
      let data = pipe.fileHandleForReading.availableData
      if data.isEmpty {
        process.waitUntilExit()
        throw EndedEarly(status: process.terminationStatus, output: output.value)
      }
      output.change { $0 += String(decoding: data, as: UTF8.self) }
      // The last line may be there in part.
      found = output.value.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        .first { $0.contains(line) }
    }
    pipe.fileHandleForReading.readabilityHandler = { handle in
      let data = handle.availableData
      if data.isEmpty { handle.readabilityHandler = nil }
      output.change { $0 += String(decoding: data, as: UTF8.self) }
    }
    self.process = process
    self.output = output
    port = found?.split(separator: " ").last.flatMap { UInt16($0) } ?? 0
    reader = pipe.fileHandleForReading
  }

  deinit { if process.isRunning { process.terminate() } }

  struct EndedEarly: Error {
    let status: Int32
    let output: String
  }

  var log: String { output.value }

  /// Throws when half a minute has passed, or the program has ended.
  nonisolated(nonsending) func waitUntilTheLogSays(_ text: String, times: Int) async throws {
    for _ in 0..<3_000 where process.isRunning {
      if log.components(separatedBy: text).count > times { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw EndedEarly(status: 0, output: log)
  }

  /// Sends SIGTERM.
  func terminate() { process.terminate() }

  /// Sends SIGHUP, at which it reads its tax table again.
  func hangUp() { Foundation.kill(process.processIdentifier, SIGHUP) }

  /// Sends SIGKILL, which no process receives.
  func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

  /// Reads the log no more, and closes it.
  func closeLog() throws {
    reader.readabilityHandler = nil
    try reader.close()
  }

  /// Waits for the end.
  nonisolated(nonsending) func status() async throws -> Int32 {
    try await onThreads(1) { [process] _ in
      process.waitUntilExit()
      return process.terminationStatus
    }[0]
  }
}
