// SPDX-License-Identifier: MIT

/// The routes of a module.
package struct Routes<Scope>: Sendable {
  let routes: [Route<Scope>]

  package init(_ routes: Route<Scope>...) {
    self.routes = routes
  }
}

/// A method and a path, and who serves them. `Scope` is what a request finds its objects in.
package struct Route<Scope>: Sendable {
  let method: String
  let path: String
  let metrics = RouteMetrics()
  let parts: [Substring]
  let makeHandler: @Sendable (Scope) throws -> any Handler

  package static func get(
    _ path: String, _ makeHandler: @escaping @Sendable (Scope) throws -> any Handler
  ) -> Self { Self("GET", path, makeHandler) }

  package static func post(
    _ path: String, _ makeHandler: @escaping @Sendable (Scope) throws -> any Handler
  ) -> Self { Self("POST", path, makeHandler) }

  package static func put(
    _ path: String, _ makeHandler: @escaping @Sendable (Scope) throws -> any Handler
  ) -> Self { Self("PUT", path, makeHandler) }

  /// - Parameter path: may have one part such as `{id}`, which fits any.
  private init(
    _ method: String, _ path: String,
    _ makeHandler: @escaping @Sendable (Scope) throws -> any Handler
  ) {
    self.method = method
    self.path = path
    self.makeHandler = makeHandler
    parts = path.split(separator: "/")
  }

  /// - Returns: what stands in the place of `{id}`, or an empty text; nil if the path is another one.
  func parameter(of path: [Substring]) -> Substring? {
    guard path.count == parts.count else { return nil }
    var parameter: Substring = ""
    for (part, actual) in zip(parts, path) {
      if part.first == "{" { parameter = actual } else if part != actual { return nil }
    }
    return parameter
  }
}
