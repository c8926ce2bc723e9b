// SPDX-License-Identifier: MIT

extension RegistrationRecord {
  /// Whether the registration equals the former registration of its key: instances built from the
  /// former registration then need not be built anew.
  ///
  /// A forward is equal by its target. Actions are closures, which nobody can compare. `==` is the
  /// user's code: no lock may be held.
  func isEqual(to former: RegistrationRecord) -> Bool {
    guard isWithoutActions, former.isWithoutActions, scope == former.scope,
      attributes.declaredDependencies ?? [] == former.attributes.declaredDependencies ?? []
    else { return false }
    if let target = forwardedKey { return target == former.forwardedKey }
    guard let value = (self as? ValueRecord)?.value,
      let formerValue = (former as? ValueRecord)?.value
    else { return false }
    return areEqual(formerValue, value)
  }

  private var isWithoutActions: Bool {
    lifecycle.isEmpty && attributes.fault == nil && disposerList?.isEmpty ?? true
  }
}

/// Whether two values are one object, or are equal by the `==` of their type.
func areEqual(_ value: Any, _ other: Any) -> Bool {
  if type(of: value) != type(of: other) { return false }
  // A class may be equatable too: the holder of one of two objects does not see changes of the
  // second.
  if let object = object(of: value) { return object === Corinth.object(of: other) }
  if isOptional(type(of: value)) {
    switch ((value as? any OptionalValue)?.content, (other as? any OptionalValue)?.content) {
    case (let content?, let otherContent?): return areEqual(content, otherContent)
    case (nil, nil): return true
    default: return false
    }
  }
  func isEqual<Value: Equatable>(_ value: Value) -> Bool {
    (other as? Value).map { value == $0 } ?? false
  }
  return (value as? any Equatable).map { isEqual($0) } ?? false
}

private protocol OptionalValue {
  var content: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var content: Any? { map { $0 } }
}
