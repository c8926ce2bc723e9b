// SPDX-License-Identifier: MIT

import Foundation

/// `OrdersService` in a process of its own.
final class RunningProgram: Sendable {
  let port: UInt16
  private let process: Process
  private let output: Guarded<String>

  /// Starts it, and waits until it listens.
  nonisolated(nonsending)
    static func start(_ variables: [String: String]) async throws -> RunningProgram
  {
    try await onThreads(1) { _ in try RunningProgram(variables) }[0]
  }

  private init(_ variables: [String: String]) throws {
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent("OrdersService")
    process.environment = variables
    let pipe = Pipe()
    process.standardError = pipe
    try process.run()
    let output = Guarded("")
    var port: UInt16?
    while port == nil {
      let data = pipe.fileHandleForReading.availableData
      if data.isEmpty { throw EndedEarly(output: output.value) }
      output.change { $0 += String(decoding: data, as: UTF8.self) }
      port = output.value.split(separator: "\n").first { $0.contains("listening on port ") }
        .flatMap { UInt16($0.split(separator: " ").last ?? "") }
    }
    pipe.fileHandleForReading.readabilityHandler = { handle in
      let data = handle.availableData
      if data.isEmpty { handle.readabilityHandler = nil }
      output.change { $0 += String(decoding: data, as: UTF8.self) }
    }
    self.process = process
    self.output = output
    self.port = port ?? 0
  }

  struct EndedEarly: Error {
    let output: String
  }

  var log: String { output.value }

  /// Sends SIGTERM.
  func terminate() { process.terminate() }

  /// Waits for the end.
  nonisolated(nonsending) func status() async throws -> Int32 {
    try await onThreads(1) { [process] _ in
      process.waitUntilExit()
      return process.terminationStatus
    }[0]
  }
}
