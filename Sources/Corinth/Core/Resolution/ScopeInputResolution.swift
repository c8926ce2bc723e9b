// SPDX-License-Identifier: MIT

extension Resolver {
  /// The instance of an input's registration: the value passed to the nearest request scope.
  ///
  /// - Throws: ``ScopeInputFailure``.
  func scopeInput<Value: Sendable>(_ type: Value.Type) throws -> Value {
    guard let found = unsafe given(type) else { return try convertedInput(type) }
    // SAFETY, of both: the resolver holds its container.
    unsafe try found.scope._withUnsafeGuaranteedRef { try refuseCapture(beyond: $0) }
    if unsafe found.isRepeated {
      throw ScopeInputFailure { .scopeInputMissing(.init(refusing: $0, at: $1, .repetition)) }
    }
    return unsafe ScopeInputs.value(of: type, at: found.value)
  }

  /// The place of an input given as the type itself, in the nearest scope with inputs, and the
  /// scope; `nil` if a nearer input may be convertible. Both live as long as the container.
  ///
  /// - Complexity: O(*n*) in the number of ancestors and of the ancestors' inputs.
  private func given(
    _ type: any Any.Type
  ) -> (value: UnsafeRawPointer, isRepeated: Bool, scope: Unmanaged<ContainerCore>)? {
    let found = unsafe registry.firstOfSelfAndAncestors {
      core -> (value: UnsafeRawPointer, isRepeated: Bool, scope: Unmanaged<ContainerCore>)?? in
      if let found = unsafe core.inputs.place(of: type) {
        return unsafe (found.value, found.isRepeated, .passUnretained(core))
      }
      let mayConvert =
        !core.inputs.isEmpty && (TypeKind(of: type) == .possiblyReference || isOptional(type))
      return unsafe mayConvert ? .some(nil) : nil
    }
    return unsafe found ?? nil
  }

  @inline(__always)
  private func refuseCapture(beyond scope: ContainerCore) throws {
    if let captor = ResolutionContext.captor(beyond: scope, requestedBy: construction) {
      let captor = ResolutionError.Captor(captor)
      throw ScopeInputFailure {
        .captiveDependency(.init(refusing: $0, at: $1, capturedBy: captor))
      }
    }
  }

  /// The nearest request scope's value for a type, converted if need be.
  @inline(never)
  private func convertedInput<Value: Sendable>(_ type: Value.Type) throws -> Value {
    for scope in registry.searched {
      guard let value = scope.inputs.convertedValue(of: type) else { continue }
      try refuseCapture(beyond: scope)
      return value
    }
    return try absentInput(type)
  }

  /// The value for a scope made without the input: `nil` for an optional type.
  private func absentInput<Value: Sendable>(_ type: Value.Type) throws -> Value {
    guard let scope = registry.searched.first(where: \.isScope) else {
      let captor = ResolutionContext.captor(beyond: nil, requestedBy: construction)
        .map(ResolutionError.Captor.init)
      throw ScopeInputFailure {
        .scopeInputMissing(.init(refusing: $0, at: $1, capturedBy: captor))
      }
    }
    if isOptional(type), let none = Any?.none as Any as? Value {
      // An object that outlives the scope would keep the `nil` for all later scopes.
      try refuseCapture(beyond: scope)
      return none
    }
    let types = registry.visibleInputTypes
    let hints: @Sendable () -> [String] = {
      let given = types.map { RegistrationKey(product: $0).description }
      let list = given.isEmpty ? "none" : given.joined(separator: ", ")
      return [
        "the request scope was made with these inputs: \(list). Give it to `withScope(providing:do:)` or "
          + "`makeScope(providing:)` too."
      ]
    }
    throw ScopeInputFailure { .scopeInputMissing(.init(refusing: $0, at: $1, suggestions: hints)) }
  }
}
