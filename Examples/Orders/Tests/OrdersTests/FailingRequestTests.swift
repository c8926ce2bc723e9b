// SPDX-License-Identifier: MIT

import Corinth
import Orders
import Testing

/// The answer to a request whose handler cannot be built, and the lines in the log.
struct FailingRequestTests {
  private struct NoConnection: Error {}

  private let log = RecordingLog()

  /// Places an order in a service whose units of work are otherwise.
  private func order(
    _ item: String = "pen", end: @escaping @Sendable () throws -> Void = {},
    unit: @escaping @Sendable (Resolver) throws -> UnitOfWork
  ) async throws -> Client.Response {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let service = try await RunningService.start(in: folder) { fork in
      try fork.register(value: log, as: (any Log).self, onDuplicate: .require)
      // With another disposer, which no override has.
      fork.unregister(UnitOfWork.self)
      try fork.register(UnitOfWork.self, scope: .scoped, factory: unit).onDispose { _ in try end() }
    }
    let response = try await onThreads(1) { _ in
      try service.send(
        "POST", "/orders", body: #"{"lines":[{"item":"\#(item)","quantity":1}]}"#)
    }[0]
    try await service.container.shutdown(draining: .seconds(10))
    return response
  }

  private func isLogged(_ word: String) -> Bool { log.lines.value.contains { $0.contains(word) } }

  @Test func whatAnInitializerSaysToTheClientIsTheAnswer() async throws {
    let response = try await order { _ in throw RequestError(401, "Who are you?") }
    #expect(response.status == 401)
    #expect(response.body == #"{"error":"Who are you?"}"#)
    #expect(!isLogged("failed"))
  }

  @Test func aDatabaseThatIsBusyIsAReasonToTryAgain() async throws {
    #expect(try await order { _ in throw StorageError.busy }.status == 503)
  }

  @Test func anyOtherErrorIsForTheLogOnly() async throws {
    let response = try await order { _ in throw NoConnection() }
    #expect(response.status == 500)
    #expect(!response.body.contains("NoConnection"))
    #expect(isLogged("NoConnection"))
  }

  @Test func aFailingEndChangesNoAnswer() async throws {
    let response = try await order(
      "nothing", end: { throw NoConnection() },
      unit: { UnitOfWork(pool: try $0.resolve(), counters: try $0.resolve()) })
    #expect(response.status == 404)
    #expect(isLogged("NoConnection"))
  }
}
