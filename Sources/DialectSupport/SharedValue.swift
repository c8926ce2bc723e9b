// SPDX-License-Identifier: MIT

internal import Corinth

/// A setting of the process: a value of any type, which any thread may read while another replaces it. Lock-free.
package final class SharedValue<Value>: Sendable {
  private let reference: SharedReference<Box>

  package init(_ value: Value) {
    reference = SharedReference(Box(value: UncheckedSendable(value)))
  }

  package var value: Value {
    get { reference.load().value.value }
    set { reference.store(Box(value: UncheckedSendable(newValue))) }
  }

  private final class Box: Sendable {
    let value: UncheckedSendable<Value>

    init(value: UncheckedSendable<Value>) {
      self.value = value
    }
  }
}
