// SPDX-License-Identifier: MIT

/// Tells the kinds of request scopes apart that are open inside of each other.
///
/// String literals are names. Declare each once:
///
/// ```swift
/// extension ScopeName {
///   static let request: ScopeName = "request"
/// }
/// try container.register(Session.self, scope: .scoped(in: .request)) { _ in Session() }
/// try await container.withScope(named: .request) { request in
///   try await request.withScope { unit in try unit.resolve(Session.self) }  // That of the request.
/// }
/// ```
///
/// Names are equal if their texts are.
///
/// ## Concurrency
/// A value, safe to use from any thread.
public struct ScopeName: Sendable, Hashable {
  // One word: each scope has one, or nil.
  private let shared: Shared<String>

  var text: String { shared.value }

  /// A name made of a text.
  ///
  /// ```swift
  /// let scope = container.makeScope(named: ScopeName(configuration.scope))
  /// ```
  ///
  /// - Parameter text: any text; it appears in messages.
  public init(_ text: String) {
    shared = Shared(text)
  }
}

extension ScopeName: ExpressibleByStringLiteral {
  @_documentation(visibility: internal)
  public init(stringLiteral text: String) {
    self.init(text)
  }
}

extension ScopeName: CustomStringConvertible {
  /// The text of the name.
  public var description: String { text }

  /// The name as messages show it, and as code may write it.
  var literal: String { String(reflecting: text) }
}
