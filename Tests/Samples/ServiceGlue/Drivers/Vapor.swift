// SPDX-License-Identifier: MIT

import Corinth
import Vapor

private struct Responder: AsyncResponder {
  let handler: @Sendable () throws -> Void

  func respond(to request: Request) async throws -> Response {
    guard try request.scope === Container.current else { preconditionFailure("another scope") }
    try handler()
    return Response()
  }
}

@main
struct Driver {
  static func main() async throws {
    let container = Container()
    try container.registerInput(CorrelationID.self)
    let middleware = ScopeMiddleware(container: container)
    try await check(
      container, unauthorized: Abort(.unauthorized),
      (HTTPResponseStatus.unauthorized, .serviceUnavailable)
    ) { handler in
      do {
        _ = try await middleware.respond(to: Request(), chainingTo: Responder(handler: handler))
        return .response
      } catch {
        return (error as? Abort).map { .answer($0.status) } ?? .otherError
      }
    }
  }
}
