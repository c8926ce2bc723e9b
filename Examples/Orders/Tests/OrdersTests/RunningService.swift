// SPDX-License-Identifier: MIT

import Corinth
import CorinthTesting
import Foundation
import HTTP
import Orders
import SQLite
import Testing

/// The application, once for all tests. None of them uses it itself: each has a fork.
let application = Result { try Application.makeContainer(environment: Environment([:])) }

/// A fork of the application with a port and a database of its own.
struct RunningService: Sendable {
  let container: Container
  let port: UInt16
  let database: String

  static let token = "tell-nobody-of-this"

  /// Starts a service, runs `body` on a thread of its own, and shuts the service down. Nothing may
  /// be left undisposed.
  ///
  /// - Parameters:
  ///   - sourceLocation: where the test fails otherwise.
  ///   - configure: overrides what the test wants otherwise.
  @discardableResult
  nonisolated(nonsending)
    static func run<Result: Sendable>(
      variables: [String: String] = [:],
      sourceLocation: Testing.SourceLocation = #_sourceLocation,
      configure: (Container) throws -> Void = { _ in },
      _ body: @escaping @Sendable (RunningService) throws -> Result
    ) async throws -> Result
  {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let fork = try fork(in: folder, variables: variables, configure: configure)
    return try await expectNothingUndisposed(in: fork, sourceLocation: sourceLocation) {
      let service = try await start(fork, in: folder)
      let result = try await onThreads(1) { _ in Swift.Result { try body(service) } }[0]
      try await fork.shutdown(draining: .seconds(10))
      return try result.get()
    }
  }

  nonisolated(nonsending)
    static func start(
      in folder: TemporaryFolder, variables: [String: String] = [:],
      configure: (Container) throws -> Void = { _ in }
    ) async throws -> RunningService
  {
    let fork = try fork(in: folder, variables: variables, configure: configure)
    return try await start(fork, in: folder)
  }

  nonisolated(nonsending)
    private static func start(
      _ fork: Container, in folder: TemporaryFolder
    ) async throws -> RunningService
  {
    let server = try await fork.startServer()
    return RunningService(container: fork, port: server.port, database: database(in: folder))
  }

  private static func database(in folder: TemporaryFolder) -> String { "\(folder.path)/orders.db" }

  private static func fork(
    in folder: TemporaryFolder, variables: [String: String],
    configure: (Container) throws -> Void
  ) throws -> Container {
    let fixed = [
      "PORT": "0", "DATABASE": database(in: folder), "ADMIN_TOKEN": token, "SYNCHRONOUS": "NORMAL",
      "MAIL_PAUSE_MILLISECONDS": "1",
    ]
    let environment = Environment(variables.merging(fixed) { first, _ in first })
    return try application.get().fork { fork in
      try fork.register(value: environment, as: Environment.self, onDuplicate: .require)
      try fork.register(value: SilentLog(), as: (any Log).self, onDuplicate: .require)
      // The application's behaviors receive events of its forks too: this one receives those of
      // this fork only.
      let metrics = MetricsBehavior(countsResolves: false)
      fork.add(metrics)
      try fork.register(value: metrics, as: MetricsBehavior.self, onDuplicate: .require)
      try configure(fork)
    }
  }

  /// A request on a connection of its own.
  func send(
    _ method: String, _ path: String, headers: [String: String] = ["X-User": "ada"],
    body: String = ""
  ) throws -> Client.Response {
    try Client(port: port).send(method, path, headers: headers, body: body)
  }

  /// A number that a query finds in the database, while the service runs.
  func number(_ sql: String) throws -> Int? { try Connection(path: database).integer(sql) }
}

/// Keeps what was written.
struct RecordingLog: Log {
  let lines = Guarded<[String]>([])
  func write(_ line: String) { lines.change { $0.append(line) } }
}

struct SilentLog: Log {
  func write(_ line: String) {}
}

struct TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/orders-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
