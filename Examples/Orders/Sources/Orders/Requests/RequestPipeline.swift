// SPDX-License-Identifier: MIT

package import HTTP

/// Makes the objects of a request, and ends the objects with the request.
package protocol RequestScopes<Scope>: Sendable {
  associatedtype Scope

  /// Runs `body` with the objects of one request. The objects learn the outcome.
  ///
  /// - Throws: the error of `body` as it is; ``RequestError/unavailable`` if the service ends.
  func withScope(
    for id: RequestID, _ user: User, _ body: (Scope) throws -> Response
  ) throws -> Response
}

/// Handles a request, from the headers to the response.
package struct RequestPipeline<Scopes: RequestScopes>: Sendable {
  private let router: Router<Scopes.Scope>
  private let scopes: Scopes
  private let identifiers: Identifiers
  private let settings: ReportSettings
  private let json: JSON
  private let log: any Log

  package init(
    router: Router<Scopes.Scope>, scopes: Scopes, identifiers: Identifiers,
    settings: ReportSettings, json: JSON, log: any Log
  ) {
    self.router = router
    self.scopes = scopes
    self.identifiers = identifiers
    self.settings = settings
    self.json = json
    self.log = log
  }

  package func respond(to request: Request) -> Response {
    let start = ContinuousClock.now
    var id: RequestID?
    var metrics = router.unrouted
    var response: Response
    do {
      let named = try RequestID(of: request) ?? identifiers.next()
      id = named
      let user = try User(of: request)
      let (route, routed) = try router.route(request)
      metrics = route.metrics
      response = try scopes.withScope(for: named, user) { scope in
        try route.makeHandler(scope).respond(to: routed)
      }
    } catch {
      response = self.response(to: error, of: id)
    }
    if let id { response.headers.append(("X-Request-ID", id.text)) }
    metrics.add(status: response.status, duration: ContinuousClock.now - start)
    if settings.logsRequests {
      // A client could write a line of its own: paths are decoded.
      let deed = "\(request.method) \(request.path)".onOneLine
      log.write("\(id?.text ?? "-") \(deed) \(response.status)")
    }
    return response
  }

  private func response(to error: any Error, of id: RequestID?) -> Response {
    switch error {
    case let error as RequestError: return error.response(json)
    case StorageError.busy: return RequestError.unavailable.response(json)
    default:
      log.write("\(id?.text ?? "-") failed: \(error)")
      return json.errorResponse(500, "The service has failed. Its log says why.")
    }
  }
}
