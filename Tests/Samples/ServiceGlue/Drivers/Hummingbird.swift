// SPDX-License-Identifier: MIT

import Corinth
import HTTPTypes
import Hummingbird

@main
struct Driver {
  static func main() async throws {
    let container = Container()
    try container.registerInput(CorrelationID.self)
    let middleware = ScopeMiddleware<BasicRequestContext>(container: container)
    try await check(
      container, unauthorized: HTTPError(.unauthorized),
      (HTTPResponse.Status.unauthorized, .serviceUnavailable)
    ) { handler in
      do {
        _ = try await middleware.handle(Request(), context: BasicRequestContext()) { _, _ in
          try handler()
          return Response()
        }
        return .response
      } catch {
        return (error as? HTTPError).map { .answer($0.status) } ?? .otherError
      }
    }
  }
}
