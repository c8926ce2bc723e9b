// SPDX-License-Identifier: MIT

/// The routes of a module.
package struct Routes<Scope>: Sendable {
  let routes: [Route<Scope>]

  package init(_ routes: Route<Scope>...) {
    self.routes = routes
  }
}

/// A method and a path, and the maker of the handler. A request finds its objects in a `Scope`.
package struct Route<Scope>: Sendable {
  let method: String
  let path: String
  let metrics = RouteMetrics()
  /// The path up to the part that is open.
  private let beginning: String
  private let isOpen: Bool
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

  /// - Parameter path: may end with an open part such as `{id}`, which fits any text.
  private init(
    _ method: String, _ path: String,
    _ makeHandler: @escaping @Sendable (Scope) throws -> any Handler
  ) {
    self.method = method
    self.path = path
    self.makeHandler = makeHandler
    beginning = String(path.prefix { $0 != "{" })
    isOpen = beginning != path
  }

  /// - Returns: the text in the place of `{id}`; empty for a route without an open part; nil if the
  ///   path does not fit.
  func parameter(of path: String) -> String? {
    guard isOpen else { return path == beginning ? "" : nil }
    guard path.hasPrefix(beginning) else { return nil }
    let rest = path.utf8.dropFirst(beginning.utf8.count)
    return rest.isEmpty || rest.contains(UInt8(ascii: "/")) ? nil : String(rest)
  }
}
