// SPDX-License-Identifier: MIT

package import Corinth
package import HTTP

/// The routes of the service find their handlers in the scope of the request.
package typealias ContainerRoutes = Routes<Container>

/// Opens a request scope of the container for each request.
package struct ContainerScopes: RequestScopes {
  let container: Container
  let log: any Log

  package func withScope(
    for id: RequestID, _ user: User, _ body: (Container) throws -> Response
  ) throws -> Response {
    do {
      return try container.syncWithScope(providing: id, user, do: body)
    } catch is ScopeRefused {
      throw RequestError.unavailable
    } catch let error as ScopeError {
      // The client wants to know why its request has failed, not what happened after that.
      log.write("\(id.text) was not ended: \(error.closeError)")
      throw explanation(of: error.error)
    } catch {
      throw explanation(of: error)
    }
  }

  /// An initialiser may have thrown: what it says to the client counts, not where it was called.
  private func explanation(of error: any Error) -> any Error {
    (error as? ResolutionError)?.underlyingError as? RequestError ?? error
  }
}
