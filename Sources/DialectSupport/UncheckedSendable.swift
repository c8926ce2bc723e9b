// SPDX-License-Identifier: MIT

/// A value that is passed to other threads although its type is not `Sendable`.
///
/// The closures of the libraries behind the dialects are not `@Sendable`. They run on the thread that resolves; a
/// program that resolves on several threads is responsible for the state that they use.
// SAFETY: the value is only read; the program is responsible for the state that it refers to, as said above.
@frozen
public struct UncheckedSendable<Value>: @unchecked Sendable {
  public let value: Value

  @inlinable @inline(__always)
  public init(_ value: Value) {
    self.value = value
  }
}
