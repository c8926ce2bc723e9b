// SPDX-License-Identifier: MIT

/// A value that goes to other threads although its type does not say that it may.
///
/// The closures of the libraries that the dialects stand for are not `@Sendable`. They run on the thread that resolves;
/// a program that resolves on several threads answers for what they touch.
// SAFETY: the value is only read; what it reaches is the program's to answer for, as said above.
@frozen
public struct UncheckedSendable<Value>: @unchecked Sendable {
  public let value: Value

  @inlinable @inline(__always)
  public init(_ value: Value) {
    self.value = value
  }
}
