// SPDX-License-Identifier: MIT

/// The value of a single property, and the attempt to resolve the value.
@usableFromInline
// SAFETY: see the superclass; the attempt is only accessed with the mutex of the wait-for graph
// held.
class PropertyStorage<Value>: StoredOnce<Value>, @unchecked Sendable {
  private var attempt: PropertyConstruction<Value>?

  /// Returns the value, built by this call or by a concurrent call.
  final func resolveOnce(
    in container: Container, _ key: RegistrationKey, at location: SourceLocation,
    building build: () throws -> Value
  ) throws -> Value {
    while true {
      if let value { return value }
      // `nil` if a concurrent call has stored the value since.
      guard let construction = construction(in: container, key, at: location) else { continue }
      let value = try construction.resolve(building: build)
      if !isStored { storeAlone(value) }
      return self.value ?? value
    }
  }

  /// Stores the value, unless a value is stored already.
  ///
  /// Callers take turns: if callers have resolved in two containers, the later caller would
  /// otherwise continue with a second value while the earlier caller is about to store.
  private func storeAlone(_ value: Value) {
    _ = exchangeAttempt { _ in
      store(value)
      return nil
    }
  }

  /// The construction of the value in a container, shared by all callers; `nil` once the value is
  /// stored.
  private func construction(
    in container: Container, _ key: RegistrationKey, at location: SourceLocation
  ) -> PropertyConstruction<Value>? {
    let fresh = PropertyConstruction<Value>(of: key, at: location, scope: .singleton, in: container)
    return exchangeAttempt { former in
      if isStored { return nil }
      if let former, former.belongs(to: container) { return former }
      return fresh
    }
  }

  /// Replaces the attempt, with the mutex held. Returns the new attempt.
  private func exchangeAttempt(
    _ next: (PropertyConstruction<Value>?) -> PropertyConstruction<Value>?
  ) -> PropertyConstruction<Value>? {
    // Lock and unlock instead of a closure, for which the runtime would look up types.
    WaitsMutex.lock()
    // The references of the former attempt are released after the mutex.
    let former = attempt
    let used = next(former)
    attempt = used
    WaitsMutex.unlock()
    withExtendedLifetime(former) {}
    return used
  }
}
