// SPDX-License-Identifier: MIT

package import Corinth
package import HTTP

/// The routes of the service find their handlers in the scope of the request.
package typealias ContainerRoutes = Routes<Container>

/// Opens a request scope of the container for each request.
package struct ContainerScopes: RequestScopes {
  let container: Container

  package func withScope(
    for id: RequestID, _ user: User, _ body: (Container) throws -> Response
  ) throws -> Response {
    do {
      return try container.syncWithScope(providing: id, user, do: body)
    } catch is ScopeRefused {
      throw RequestError.unavailable
    } catch let error as ResolutionError {
      // An initialiser has thrown: what it says to the client counts, not where it was called.
      throw error.underlyingError as? RequestError ?? error
    }
  }
}
