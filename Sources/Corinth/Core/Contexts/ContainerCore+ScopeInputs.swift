// SPDX-License-Identifier: MIT

/// The values that request scopes are made with.
extension ContainerCore {
  /// The value of a type that the nearest request scope has been given, this one or an ancestor.
  ///
  /// - Throws: ``MissingScopeInput``.
  /// - Complexity: O(*n*) in the number of ancestors and of their inputs.
  func scopeInput<Value: Sendable>(_ type: Value.Type) throws -> Value {
    // At +0: counting references to an ancestor would be a write to memory that all its children share.
    // SAFETY: each core holds its parent, and the caller holds this one.
    var next = unsafe Optional(Unmanaged.passUnretained(self))
    while let core = unsafe next {
      if let input = unsafe core._withUnsafeGuaranteedRef({ $0.inputs?.last(of: type) }) {
        return input.value(of: type)
      }
      unsafe next = core._withUnsafeGuaranteedRef { unsafe $0.parentLink.unretained }
    }
    return try scopeInputOfBaseOrSubtype(type)
  }

  /// The value of a type that no ancestor has been given: that of a fork's base, or one of a subtype.
  ///
  /// The compiler passes what an `any P` holds under its own type, unless the call says `as any P`.
  @inline(never)
  private func scopeInputOfBaseOrSubtype<Value: Sendable>(_ type: Value.Type) throws -> Value {
    for core in searched {
      if let input = core.inputs?.last(of: type) { return input.value(of: type) }
    }
    if TypeKind(of: type) == .possiblyReference {
      for input in visibleInputs { if let value = input.anyValue as? Value { return value } }
    }
    throw missingScopeInput
  }

  /// The inputs of this container and all in which it looks keys up, the nearest and last given first.
  private var visibleInputs: some Sequence<AnyScopeInput> {
    searched.lazy.compactMap(\.inputs).flatMap { sequence(first: $0, next: \.next) }
  }

  private var missingScopeInput: MissingScopeInput {
    guard searched.contains(where: \.isScope) else {
      return MissingScopeInput {
        [
          "resolve it from a request scope: `container.withScope(providing: value) { scope in ... }`. What a singleton "
            + "needs is resolved outside of every scope."
        ]
      }
    }
    let types = visibleInputs.map(\.type)
    return MissingScopeInput {
      let given = types.reversed().map { RegistrationKey(product: $0).description }
      let list = given.isEmpty ? "none" : given.joined(separator: ", ")
      return [
        "the request scope was made with these inputs: \(list). Give it to `withScope(providing:do:)` or "
          + "`makeScope(providing:)` too."
      ]
    }
  }

  /// A hint about a missing key that the request scope has been given a value for.
  func hintAboutUndeclaredInput(_ key: RegistrationKey) -> String? {
    guard key.name == nil, key.arguments == nil,
      visibleInputs.contains(where: { $0.type == key.product })
    else { return nil }
    return
      "the request scope was made with \(key) as an input: declare it with `registerInput((\(key)).self)` in the "
      + "container that scopes are made from."
  }
}

extension AnyScopeInput {
  /// The value of an input that is known to be of this type.
  fileprivate func value<Value: Sendable>(of type: Value.Type) -> Value {
    // SAFETY: the class of an input is that of its type.
    unsafe unsafeDowncast(self, to: ScopeInput<Value>.self).value
  }
}
