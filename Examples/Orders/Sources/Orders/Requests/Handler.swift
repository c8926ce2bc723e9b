// SPDX-License-Identifier: MIT

package import HTTP

/// Serves the requests of one route. Every request has a separate handler.
package protocol Handler {
  func respond(to request: RoutedRequest) throws -> Response
}

/// A request, and the open part of the path.
package struct RoutedRequest: Sendable {
  private let request: Request
  /// The part of the path that the route leaves open, such as `{id}`; empty for a route without an
  /// open part.
  package let parameter: String

  package init(_ request: Request, parameter: String) {
    self.request = request
    self.parameter = parameter
  }

  package var body: [UInt8] { request.body }
  package func header(_ name: String) -> String? { request.header(name) }

  /// A number in the query.
  package func number(
    _ name: String, default: Int, in range: ClosedRange<Int>
  ) throws(RequestError) -> Int {
    guard let text = request.query.first(where: { $0.name == name })?.value else {
      return `default`
    }
    guard let number = Int(text), range.contains(number) else {
      throw .badRequest(
        "\(name) is a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }
}
