// SPDX-License-Identifier: MIT

/// Arguments as a key, which tells the instances of one registration apart.
@usableFromInline
// SAFETY: immutable; the values are compared in any thread, see AnyArguments.
class ArgumentValues: @unchecked Sendable {
  /// Equal values have equal ones.
  let hash: UInt64

  init(hash: Int) {
    self.hash = UInt64(bitPattern: Int64(hash))
  }

  deinit { HeldLocks.assertNone(ArgumentValues.self) }

  /// Whether all values are equal to those of another key of the same registration. Runs their
  /// `==`.
  func areEqual(to other: ArgumentValues) -> Bool {
    preconditionFailure("ArgumentValues.areEqual: must be overridden for each type of arguments")
  }
}

/// Arguments as a key: one value, or the tuple of several.
// SAFETY: see the superclass.
final class ArgumentTuple<Arguments>: ArgumentValues, @unchecked Sendable {
  typealias Comparison = @Sendable (Arguments, Arguments) -> Bool
  private let arguments: Arguments
  private let comparison: Comparison

  init(_ arguments: Arguments, hash: Int, comparison: @escaping Comparison) {
    self.arguments = arguments
    self.comparison = comparison
    super.init(hash: hash)
  }

  override func areEqual(to other: ArgumentValues) -> Bool {
    // SAFETY: a registration decides the types of its arguments.
    let other = unsafe unsafeDowncast(other, to: ArgumentTuple<Arguments>.self)
    return comparison(arguments, other.arguments)
  }
}
