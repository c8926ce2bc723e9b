// SPDX-License-Identifier: MIT

/// The value of a name that is neither a text nor an integer, without its type.
@usableFromInline
// SAFETY: immutable; the subclass holds a Sendable value, or the value's owner vouches for sharing.
class NameValue: @unchecked Sendable {
  deinit { HeldLocks.assertNone(NameValue.self) }

  var hashable: AnyHashable {
    preconditionFailure("NameValue.hashable: must be overridden for each type of value")
  }

  /// The value, if an element of a collection has the name.
  var contribution: ContributionName? { nil }

  var description: String {
    preconditionFailure("NameValue.description: must be overridden for each type of value")
  }

  /// How a key's description goes on behind the product.
  var suffix: String { " named \(description)" }

  /// Has a container register the default of the declared key that the name stands for, if any.
  ///
  /// - Parameter container: the core of the container, which has no registration under the key.
  /// - Returns: whether the container may have one after the call.
  func registerDefault(in container: AnyObject) -> Bool { false }

  /// Whether two values are equal in the sense of `AnyHashable`.
  func isEqual(to other: NameValue) -> Bool {
    preconditionFailure("NameValue.isEqual: must be overridden for each type of value")
  }
}

/// The value of a name, of a type.
// SAFETY: see the superclass.
final class NameValueOf<Value: Hashable>: NameValue, @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }

  override var hashable: AnyHashable { AnyHashable(value) }

  override var description: String { "\(value)" }

  /// Values of one type are compared by the `==` of the type. `AnyHashable` looks for a common type
  /// by casts, which take ten times as long.
  override func isEqual(to other: NameValue) -> Bool {
    guard type(of: other) == type(of: self) else { return hashable == other.hashable }
    // SAFETY: `other` has the class of `self`.
    let other = unsafe unsafeDowncast(other, to: NameValueOf<Value>.self)
    return value == other.value
  }
}
