// SPDX-License-Identifier: MIT

/// A value that is passed to other threads although the type is not `Sendable`.
///
/// The closures of the libraries behind the compatibility modules are not `@Sendable`. The closures
/// run on the resolving thread; a program that resolves on several threads is responsible for the
/// state that the closures use.
// SAFETY: the value is only read; the program is responsible for the state behind the value, as
// said above.
@frozen
public struct UncheckedSendable<Value>: @unchecked Sendable {
  public let value: Value

  @inlinable @inline(__always)
  public init(_ value: Value) {
    self.value = value
  }
}
