// SPDX-License-Identifier: MIT

extension Resolver {
  /// What an input's registration resolves to: the value that the nearest request scope has been given.
  ///
  /// - Throws: ``ScopeInputFailure``.
  func scopeInput<Value: Sendable>(_ type: Value.Type) throws -> Value {
    guard let (value, scope) = registry.scopeInput(type) else { return try absentInput(type) }
    if let captor = ResolutionContext.captor(beyond: scope, requestedBy: construction) {
      throw ScopeInputFailure.captured(by: captor)
    }
    return value
  }

  /// What a scope serves that was made without an input: `nil` if that is an optional.
  @inline(never)
  private func absentInput<Value: Sendable>(_ type: Value.Type) throws -> Value {
    guard registry.isInScope else { throw ScopeInputFailure.missing { Self.hintsOutsideOfScopes } }
    if isOptional(type), let none = Any?.none as Any as? Value { return none }
    let types = registry.visibleInputTypes
    throw ScopeInputFailure.missing {
      let given = types.map { RegistrationKey(product: $0).description }
      let list = given.isEmpty ? "none" : given.joined(separator: ", ")
      return [
        "the request scope was made with these inputs: \(list). Give it to `withScope(providing:do:)` or "
          + "`makeScope(providing:)` too."
      ]
    }
  }

  private static var hintsOutsideOfScopes: [String] {
    [
      "resolve it from a request scope: `container.withScope(providing: value) { scope in ... }`. What a singleton "
        + "needs is resolved outside of every scope."
    ]
  }
}
