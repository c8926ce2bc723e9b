// SPDX-License-Identifier: MIT

/// The values that request scopes are made with.
extension ContainerCore {
  /// Adds a value, before another thread knows of this scope.
  @usableFromInline @inline(never)
  func provide<Input: Sendable>(_ input: Input) { inputs.add(input) }

  /// The place of the input that the nearest request scope around this container has, and that scope; `nil` if none was given as the
  /// type itself, or if a nearer one may have a value that can be converted. Both are alive as long as this container.
  ///
  /// - Complexity: O(*n*) in the number of ancestors and of their inputs.
  func scopeInput(
    of type: any Any.Type
  ) -> (value: UnsafeRawPointer, isRepeated: Bool, scope: Unmanaged<ContainerCore>)? {
    let found = unsafe firstOfSelfAndAncestors {
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

  /// The value that the nearest request scope around this container has for a type, converted if need be; and that scope.
  func convertedScopeInput<Value: Sendable>(
    of type: Value.Type
  ) -> (value: Value, scope: ContainerCore)? {
    for core in searched {
      if let value = core.inputs.convertedValue(of: type) { return (value, core) }
    }
    return nil
  }

  /// The types of the inputs that a resolve from this container may get, in the order in which they were given, the
  /// innermost scope first.
  var visibleInputTypes: [any Any.Type] {
    searched.flatMap { $0.inputs.types }
  }

  /// A hint about a missing key that the request scope has been given a value for.
  func hintAboutUndeclaredInput(_ key: RegistrationKey) -> String? {
    guard key.name == nil, key.arguments == nil,
      visibleInputTypes.contains(where: { $0 == key.product })
    else { return nil }
    return
      "the request scope was made with \(key) as an input: declare it with `registerInput(\(expression(of: key.product)))` in the "
      + "container that scopes are made from."
  }
}
