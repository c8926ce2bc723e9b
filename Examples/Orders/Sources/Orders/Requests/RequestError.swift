// SPDX-License-Identifier: MIT

package import HTTP

/// The reason why a request is not served, in words for the client.
package struct RequestError: Error, Equatable, CustomStringConvertible {
  package let status: Int
  package let message: String
  /// The methods that the path takes, if the status is 405.
  package let allowed: [String]

  package init(_ status: Int, _ message: String, allowed: [String] = []) {
    self.status = status
    self.message = message
    self.allowed = allowed
  }

  package static func badRequest(_ message: String) -> Self { Self(400, message) }
  package static func notFound(_ message: String) -> Self { Self(404, message) }
  /// The service ends, or cannot keep up. Another try may succeed.
  package static let unavailable = Self(503, "The service takes no requests now.")

  package var description: String { "\(status): \(message)" }

  /// The error as a response.
  package func response(_ json: JSON) -> Response {
    var response = json.errorResponse(status, message)
    if status == 503 { response.headers += [("Retry-After", "1"), ("Connection", "close")] }
    if status == 401 { response.headers.append(("WWW-Authenticate", "X-User")) }
    if status == 405 { response.headers.append(("Allow", allowed.joined(separator: ", "))) }
    return response
  }
}
