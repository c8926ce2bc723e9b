// SPDX-License-Identifier: MIT

public import Corinth

/// A setting of the process: a value of any type, which any thread may read while a second thread
/// replaces the value. Lock-free.
@usableFromInline package final class SharedValue<Value>: Sendable {
  @usableFromInline let reference: SharedReference<Box>

  @inlinable package init(_ value: Value) {
    reference = SharedReference(Box(value: UncheckedSendable(value)))
  }

  @inlinable package var value: Value {
    get { reference.load().value.value }
    set { reference.store(Box(value: UncheckedSendable(newValue))) }
  }

  /// Changes the current value. None of several simultaneous changes is lost.
  ///
  /// - Parameter change: may be called several times.
  package func update(_ change: (inout Value) -> Void) {
    reference.update { former in
      var value = former.value.value
      change(&value)
      return Box(value: UncheckedSendable(value))
    }
  }

  @usableFromInline final class Box: Sendable {
    @usableFromInline let value: UncheckedSendable<Value>

    @inlinable init(value: UncheckedSendable<Value>) {
      self.value = value
    }
  }
}
