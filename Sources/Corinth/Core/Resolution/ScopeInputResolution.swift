// SPDX-License-Identifier: MIT

extension Resolver {
  /// What an input's registration resolves to: the value that the nearest request scope has been given.
  ///
  /// - Throws: ``ScopeInputFailure``.
  func scopeInput<Value: Sendable>(_ type: Value.Type) throws -> Value {
    guard let (input, scope) = unsafe registry.scopeInput(of: type) else {
      return try convertedInput(type)
    }
    // SAFETY: the resolver holds its container.
    unsafe try scope._withUnsafeGuaranteedRef { try refuseCapture(beyond: $0) }
    return unsafe try input._withUnsafeGuaranteedRef { input in
      if input.isRepeated { throw ScopeInputFailure.repeated }
      return input.loadValue(as: type)
    }
  }

  @inline(__always)
  private func refuseCapture(beyond scope: ContainerCore) throws {
    if let captor = ResolutionContext.captor(beyond: scope, requestedBy: construction) {
      throw ScopeInputFailure.captured(by: ResolutionError.Captor(captor))
    }
  }

  @inline(never)
  private func convertedInput<Value: Sendable>(_ type: Value.Type) throws -> Value {
    guard let (value, scope) = registry.convertedScopeInput(of: type) else {
      return try absentInput(type)
    }
    try refuseCapture(beyond: scope)
    return value
  }

  /// What a scope serves that was made without an input: `nil` if that is an optional.
  private func absentInput<Value: Sendable>(_ type: Value.Type) throws -> Value {
    guard let scope = registry.searched.first(where: \.isScope) else {
      let captor = ResolutionContext.captor(beyond: nil, requestedBy: construction)
      throw ScopeInputFailure.outsideOfScopes(neededBy: captor.map(ResolutionError.Captor.init))
    }
    if isOptional(type), let none = Any?.none as Any as? Value {
      // What outlives the scope would keep this for all others.
      try refuseCapture(beyond: scope)
      return none
    }
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
}
