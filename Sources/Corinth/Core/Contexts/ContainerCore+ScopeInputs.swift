// SPDX-License-Identifier: MIT

/// The values passed to request scopes.
extension ContainerCore {
  /// Adds a value, before the scope is visible to a second thread.
  @usableFromInline @inline(never)
  func provide<Input: Sendable>(_ input: Input) { inputs.add(input) }

  /// The place of an input given as the type itself, in the nearest scope with inputs, and the
  /// scope; `nil` if a nearer input may be convertible. Both live as long as the container.
  ///
  /// - Complexity: O(*n*) in the number of ancestors and of the ancestors' inputs.
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

  /// The nearest request scope's value for a type, converted if need be, with the scope.
  func convertedScopeInput<Value: Sendable>(
    of type: Value.Type
  ) -> (value: Value, scope: ContainerCore)? {
    for core in searched {
      if let value = core.inputs.convertedValue(of: type) { return (value, core) }
    }
    return nil
  }

  /// The types of the inputs visible to a resolve from the container, in the order of passing, the
  /// innermost scope's first.
  var visibleInputTypes: [any Any.Type] {
    searched.flatMap { $0.inputs.types }
  }

  /// A hint for a missing key whose value was passed to the request scope.
  func hintAboutUndeclaredInput(_ key: RegistrationKey) -> String? {
    guard key.name == nil, key.arguments == nil,
      visibleInputTypes.contains(where: { $0 == key.product })
    else { return nil }
    return
      "the request scope was made with \(key) as an input: declare it with `registerInput(\(expression(of: key.product)))` in the "
      + "container that scopes are made from."
  }
}
