// SPDX-License-Identifier: MIT

/// A value that is resolved at its first use, once: the storage for property wrappers of the dialects. Copies share it.
///
/// ## Concurrency
/// Safe to use from any thread. If several threads resolve it at once, one builds the value and the others wait for
/// it. No lock is held meanwhile. A value that is needed to build itself is an error, not a deadlock.
@usableFromInline
@safe
package struct PropertyValue<Value, Settings> {
  private let storage: SettledPropertyStorage<Value, Settings>
  /// The same, for accesses: a copy of the storage would be counted, in memory that threads share.
  @usableFromInline let reference: Unmanaged<StoredOnce<Value>>

  /// A value that is not there yet.
  ///
  /// - Parameter settings: for the callers that resolve it. Released once the value exists.
  @usableFromInline
  package init(_ settings: Settings) {
    storage = SettledPropertyStorage(settings)
    unsafe reference = Unmanaged.passUnretained(storage)
  }

  /// A value that is there.
  @usableFromInline
  package init(holding value: Value) {
    storage = SettledPropertyStorage(nil)
    unsafe reference = Unmanaged.passUnretained(storage)
    storage.store(value)
  }

  /// The settings that it was made with; `nil` once the value has been resolved. So a property does not keep the
  /// object that determined its container.
  ///
  /// Takes a lock of the process for a moment.
  @usableFromInline
  package var settings: Settings? { storage.settings }

  /// The value; `nil` until it has been resolved.
  ///
  /// Wait-free.
  @inlinable
  package var value: Value? { unsafe StoredOnce.value(of: reference) }

  /// The value, made by `build` if it is not there yet. When that throws, the next call tries again. The container is not kept.
  ///
  /// - Throws: the error of `build`, or ``ResolutionError/circularDependencyDetected(_:)``.
  ///
  /// Wait-free once the value is there. The first calls wait at most for its construction.
  @usableFromInline
  package func resolve(
    in container: Container, name: Name? = nil, file: StaticString = #fileID, line: UInt = #line,
    building build: () throws -> Value
  ) throws -> Value {
    let value = try storage.resolveOnce(
      in: container, RegistrationKey(product: Value.self, name: name),
      at: SourceLocation(file: file, line: line), building: build)
    storage.releaseSettings()
    return value
  }
}

extension PropertyValue: Sendable where Value: Sendable, Settings: Sendable {}

// SAFETY: see the superclass; the settings are only accessed with the mutex of the wait-for graph held, and the struct
// above decides whether they are Sendable.
private final class SettledPropertyStorage<Value, Settings>: PropertyStorage<Value>,
  @unchecked Sendable
{
  private var kept: Settings?

  init(_ settings: Settings?) {
    kept = settings
  }

  var settings: Settings? {
    WaitsMutex.lock()
    defer { WaitsMutex.unlock() }
    return kept
  }

  func releaseSettings() {
    WaitsMutex.lock()
    // Their references are released after the mutex.
    let former = kept
    kept = nil
    WaitsMutex.unlock()
    withExtendedLifetime(former) {}
  }
}
