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

  deinit { HeldLocks.assertNone(AnyScopeInput.self) }

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
  /// The inputs of a scope as a list, the last one first; `nil` for none.
  @inlinable
  static func list<each Input: Sendable>(_ inputs: repeat each Input) -> AnyScopeInput? {
    var list: AnyScopeInput?
    for input in repeat each inputs { list = ScopeInput(input, next: list) }
    return list
  }

  /// The last one that was given as a type.
  func last(of type: any Any.Type) -> AnyScopeInput? {
    // SAFETY: the caller holds this one.
    unsafe Self.last(of: type, from: Unmanaged.passUnretained(self))?.takeUnretainedValue()
  }

  /// Whether a value was given as the same type before this one.
  var isRepeated: Bool {
    // SAFETY: the caller holds this one, which holds the next.
    unsafe Self.last(of: type, from: next.map { unsafe Unmanaged.passUnretained($0) }) != nil
  }

  private static func last(
    of type: any Any.Type, from first: Unmanaged<AnyScopeInput>?
  ) -> Unmanaged<AnyScopeInput>? {
    // At +0: counting references would be writes to memory that the threads of a scope share.
    // SAFETY: each input holds the next one, and the caller holds the first.
    var candidate = unsafe first
    while let input = unsafe candidate {
      if unsafe input._withUnsafeGuaranteedRef({ $0.type == type }) { return unsafe input }
      unsafe candidate = input._withUnsafeGuaranteedRef { input in
        unsafe input.next.map { unsafe Unmanaged.passUnretained($0) }
      }
    }
    return nil
  }

  /// The value of an input that was given as this type.
  @inline(__always)
  func value<Value: Sendable>(of type: Value.Type) -> Value {
    // SAFETY: the class of an input is that of its type.
    unsafe unsafeDowncast(self, to: ScopeInput<Value>.self).value
  }

  /// A value of the list: the last one of the type itself, or else of a conforming type, a subclass or the type that an
  /// optional wraps.
  func convertedValue<Value: Sendable>(of type: Value.Type) -> Value? {
    if let exact = last(of: type) { return exact.value(of: type) }
    for input in sequence(first: self, next: \.next) where !isOptional(input.type) {
      if let value = input.anyValue as? Value { return value }
    }
    return nil
  }
}
