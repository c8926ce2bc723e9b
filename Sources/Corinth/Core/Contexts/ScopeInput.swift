// SPDX-License-Identifier: MIT

/// A value that a request scope was made with, and the next one: a list without a table.
@usableFromInline
// SAFETY: constant, and the value of the subclass is Sendable.
package class AnyScopeInput: @unchecked Sendable {
  /// The type that the value was given as.
  @usableFromInline final let type: any Any.Type
  /// The input that was given before this one.
  @usableFromInline final let next: AnyScopeInput?

  @inlinable
  init(type: any Any.Type, next: AnyScopeInput?) {
    self.type = type
    self.next = next
  }

  /// The value, for what is not found by its type.
  var anyValue: any Sendable {
    preconditionFailure("AnyScopeInput.anyValue: must be overridden for each type of value")
  }
}

/// A value of a type.
@usableFromInline
// SAFETY: see the superclass.
final class ScopeInput<Value: Sendable>: AnyScopeInput, @unchecked Sendable {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value, next: AnyScopeInput?) {
    self.value = value
    super.init(type: Value.self, next: next)
  }

  override var anyValue: any Sendable { value }
}

extension AnyScopeInput {
  /// The last one of a type that was given, among this one and those before.
  func last(of wanted: any Any.Type) -> AnyScopeInput? {
    // At +0: counting references would be writes to memory that the threads of a scope share.
    // SAFETY: each input holds the next one, and the caller holds this one.
    var candidate = unsafe Optional(Unmanaged.passUnretained(self))
    while let input = unsafe candidate {
      if unsafe input._withUnsafeGuaranteedRef({ $0.type == wanted }) {
        return unsafe input.takeUnretainedValue()
      }
      unsafe candidate = input._withUnsafeGuaranteedRef { input in
        unsafe input.next.map { unsafe Unmanaged.passUnretained($0) }
      }
    }
    return nil
  }
}
