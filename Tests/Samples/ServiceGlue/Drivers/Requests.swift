// SPDX-License-Identifier: MIT

import Corinth
import Logging

final class User: Sendable {}
final class Report: Sendable {}
final class UnitOfWork: Sendable {}

/// What a framework makes no response of.
struct NoConnection: Error {}
struct NotCommitted: Error {}

/// What has become of a request.
enum Ending<Status: Equatable & Sendable>: Equatable, Sendable {
  case response
  case answer(Status)
  case otherError
}

/// Checks the answers of a middleware and what it logs.
///
/// - Parameters:
///   - container: the one that the middleware has.
///   - unauthorized: what the framework answers with 401.
///   - send: makes a request with a handler.
func check<Status: Equatable & Sendable>(
  _ container: Container, unauthorized: some Error,
  _ status: (unauthorized: Status, unavailable: Status),
  send: @Sendable (@escaping @Sendable () throws -> Void) async -> Ending<Status>
) async throws {
  try container.register(User.self, scope: .scoped) { _ in throw unauthorized }
  try container.register(Report.self, scope: .scoped) { _ in throw NoConnection() }
  try container.register(UnitOfWork.self, scope: .scoped) { _ in UnitOfWork() }
    .onDispose { _ in throw NotCommitted() }

  func expect(
    _ expected: Ending<Status>, logging words: String..., line: UInt = #line,
    handler: @escaping @Sendable (Container) throws -> Void
  ) async {
    let ending = await send { try handler(Container.current!) }
    precondition(ending == expected, "line \(line): \(ending)")
    let log = Logger.takeTexts().joined(separator: "\n")
    precondition(
      log.isEmpty == words.isEmpty && words.allSatisfy(log.contains), "line \(line): \(log)")
  }

  await expect(.response) { _ in }
  await expect(.answer(status.unauthorized)) { _ = try $0.resolve(User.self) }
  await expect(.otherError, logging: "NoConnection") { _ = try $0.resolve(Report.self) }
  await expect(.otherError, logging: "NotCommitted") { _ = try $0.resolve(UnitOfWork.self) }
  await expect(.answer(status.unauthorized), logging: "NotCommitted") {
    _ = try $0.resolve(UnitOfWork.self)
    _ = try $0.resolve(User.self)
  }
  await expect(.otherError, logging: "NoConnection", "NotCommitted") {
    _ = try $0.resolve(UnitOfWork.self)
    _ = try $0.resolve(Report.self)
  }

  let open = container.makeScope()
  let shutdown = Task { try await container.shutdown(draining: .seconds(60)) }
  while await send({}) == .response { await Task.yield() }
  await expect(.answer(status.unavailable)) { _ in
    preconditionFailure("a refused request was handled")
  }
  try await open.close()
  try await shutdown.value
}
