// SPDX-License-Identifier: MIT

/// An immutable value as an object: its copies are one reference.
final class Shared<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }

  deinit { HeldLocks.assertNone(Value.self) }
}
