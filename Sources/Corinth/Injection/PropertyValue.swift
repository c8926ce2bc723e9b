// SPDX-License-Identifier: MIT

/// A value that is resolved at the first use, once: the storage for property wrappers of the
/// compatibility modules. Copies share the value.
///
/// ## Concurrency
/// Safe to use from any thread. If several threads resolve the value at once, a single thread
/// builds and the rest wait. No lock is held meanwhile. A value needed for its own construction is
/// an error, not a deadlock.
@usableFromInline
@safe
package struct PropertyValue<Value, Settings> {
  private let storage: SettledPropertyStorage<Value, Settings>
  /// The storage, for accesses: a copied strong reference would be counted, in memory that threads
  /// share.
  @usableFromInline let reference: Unmanaged<StoredOnce<Value>>

  /// Makes a value that is not resolved yet.
  ///
  /// - Parameter settings: for the resolving callers. Released once the value exists.
  @usableFromInline
  package init(_ settings: Settings) {
    storage = SettledPropertyStorage(settings)
    ResolveNotes.noteUnknown()
    unsafe reference = Unmanaged.passUnretained(storage)
  }

  /// Makes a value that is present.
  @usableFromInline
  package init(holding value: Value) {
    storage = SettledPropertyStorage(nil)
    unsafe reference = Unmanaged.passUnretained(storage)
    storage.store(value)
  }

  /// The settings given to the initializer; `nil` once the value has been resolved. So a property
  /// does not keep the object alive that determined the container.
  ///
  /// Takes a lock of the process for a moment.
  @usableFromInline
  package var settings: Settings? { storage.settings }

  /// The value; `nil` until it has been resolved.
  ///
  /// Wait-free.
  @inlinable
  package var value: Value? { unsafe StoredOnce.value(of: reference) }

  /// Returns the value, made by `build` if not present yet. When `build` throws, the next call
  /// tries again. The container is not kept.
  ///
  /// - Throws: the error of `build`, or ``ResolutionError/circularDependencyDetected(_:)``.
  ///
  /// Wait-free once the value is present. The first calls wait at most for the value's
  /// construction.
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

// SAFETY: see the superclass; the settings are only accessed with the mutex of the wait-for graph
// held, and the struct above decides whether the settings are Sendable.
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
    // The references of the settings are released after the mutex.
    let former = kept
    kept = nil
    WaitsMutex.unlock()
    withExtendedLifetime(former) {}
  }
}
