// SPDX-License-Identifier: MIT

/// The values that request scopes are made with.
extension ContainerCore {
  /// The value of a type that the nearest request scope has been given that has one, this or one around it; and that scope.
  ///
  /// - Complexity: O(*n*) in the number of ancestors and of their inputs.
  func scopeInput<Value: Sendable>(
    _ type: Value.Type
  ) -> (value: Value, scope: ContainerCore)? {
    // At +0: counting references to an ancestor would be a write to memory that all its children share.
    // SAFETY: each core holds its parent, and the caller holds this one.
    var next = unsafe Optional(Unmanaged.passUnretained(self))
    while let core = unsafe next {
      if let value = unsafe core._withUnsafeGuaranteedRef({ $0.inputs?.value(of: type) }) {
        return unsafe (value, core.takeUnretainedValue())
      }
      unsafe next = core._withUnsafeGuaranteedRef { unsafe $0.parentLink.unretained }
    }
    return scopeInputOfBase(type)
  }

  /// The same for what is a fork, or a descendant of one.
  @inline(never)
  private func scopeInputOfBase<Value: Sendable>(
    _ type: Value.Type
  ) -> (value: Value, scope: ContainerCore)? {
    for core in searched { if let value = core.inputs?.value(of: type) { return (value, core) } }
    return nil
  }

  /// Whether a request scope is this container, or around it.
  var isInScope: Bool { searched.contains(where: \.isScope) }

  /// The types of the inputs that a resolve from this container may get, in the order in which they were given, the
  /// innermost scope first.
  var visibleInputTypes: [any Any.Type] {
    searched.flatMap { core in
      core.inputs.map { sequence(first: $0, next: \.next).map(\.type).reversed() } ?? []
    }
  }

  /// A hint about a missing key that the request scope has been given a value for.
  func hintAboutUndeclaredInput(_ key: RegistrationKey) -> String? {
    guard key.name == nil, key.arguments == nil,
      visibleInputTypes.contains(where: { $0 == key.product })
    else { return nil }
    return
      "the request scope was made with \(key) as an input: declare it with `registerInput((\(key)).self)` in the "
      + "container that scopes are made from."
  }
}
