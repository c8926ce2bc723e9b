// SPDX-License-Identifier: MIT

import HTTP

/// Finds the route of a request.
package struct Router<Scope>: Sendable {
  let routes: [Route<Scope>]
  /// The metrics of requests that fit no route.
  let unrouted = RouteMetrics()

  /// - Parameter modules: the routes of each module.
  package init(modules: [Routes<Scope>]) {
    routes = modules.flatMap(\.routes)
  }

  /// - Throws: ``RequestError`` with 404, or with 405 if the path is known and the method is not.
  func route(_ request: Request) throws(RequestError) -> (Route<Scope>, RoutedRequest) {
    // The server leaves out the body of a response to HEAD.
    let method = request.method == "HEAD" ? "GET" : request.method
    var allowed: [String] = []
    for route in routes {
      guard let parameter = route.parameter(of: request.path) else { continue }
      if route.method == method {
        return (route, RoutedRequest(request, parameter: parameter))
      }
      allowed.append(route.method)
    }
    if allowed.isEmpty { throw .notFound("There is nothing at \(request.path).") }
    if allowed.contains("GET") { allowed.append("HEAD") }
    allowed.sort()
    throw RequestError(
      405, "\(request.path) takes \(allowed.joined(separator: ", ")).", allowed: allowed)
  }
}
