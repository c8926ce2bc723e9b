// SPDX-License-Identifier: MIT

package import Corinth
package import HTTP

/// The routes of the service find their handlers in the scope of the request.
package typealias ContainerRoutes = Routes<Container>

/// Opens a request scope for each request, of the version of the container that is current then.
package struct ContainerScopes: RequestScopes {
  let scopes: ScopeFactory
  let log: any Log

  package init(scopes: ScopeFactory, log: any Log) {
    self.scopes = scopes
    self.log = log
  }

  package func withScope(
    for id: RequestID, _ user: User, _ body: (Container) throws -> Response
  ) throws -> Response {
    do {
      return try scopes.syncWithScope(providing: id, user, do: body)
    } catch ResolutionError.scopeRefused {
      throw RequestError.unavailable
    } catch {
      guard let answer = answer(to: error) else { throw error }
      // The client wants to know why the request has failed, not the events afterwards.
      if let closeError = error.cause(as: CloseError.self) {
        log.write("\(id.text) was not ended: \(closeError)")
      }
      throw answer
    }
  }

  /// An initializer or the commit may have thrown the error: the answer is equal.
  private func answer(to error: any Error) -> RequestError? {
    if error.cause(as: StorageError.self) == .busy { return .unavailable }
    return error.cause(as: RequestError.self)
  }
}
