// SPDX-License-Identifier: MIT

/// An object that is resolved, not kept alive, and resolved again once the object is gone: the
/// storage for property wrappers of the compatibility modules.
///
/// ## Concurrency
/// Safe to use like ``PropertyValue``: concurrent threads get the same object.
@usableFromInline
package struct WeakPropertyValue<Value>: Sendable {
  private let storage = WeakPropertyStorage<Value>()

  /// Makes an object that is not resolved yet.
  @usableFromInline
  package init() {}

  /// Returns the object, made by `build` if no object is alive; `nil` if `build` made none. The
  /// container is not kept.
  ///
  /// - Throws: the error of `build`, or ``ResolutionError``.
  ///
  /// Waits at most for a construction of the object.
  @usableFromInline
  package func resolve(
    in container: Container, name: Name? = nil, file: StaticString = #fileID, line: UInt = #line,
    building build: () throws -> Value?
  ) throws -> Value? {
    try storage.resolve(
      in: container, RegistrationKey(product: Value.self, name: name),
      at: SourceLocation(file: file, line: line), building: build)
  }
}

/// The construction of an object, which holds the object weakly.
final class WeakPropertyStorage<Value>: Sendable {
  private let latest = ReplaceableReference<PropertyConstruction<Value>>()

  /// Returns the object; `nil` if `build` made none.
  func resolve(
    in container: Container, _ key: RegistrationKey, at location: SourceLocation,
    building build: () throws -> Value?
  ) throws -> Value? {
    do {
      return try construction(in: container, key, at: location).resolve {
        guard let made = try build() else { throw NothingMade() }
        return made
      }
    } catch is NothingMade {
      return nil
    }
  }

  private func construction(
    in container: Container, _ key: RegistrationKey, at location: SourceLocation
  ) -> PropertyConstruction<Value> {
    if let found = latest.load(), found.belongs(to: container) { return found }
    var used = PropertyConstruction<Value>(of: key, at: location, scope: .weak, in: container)
    latest.update { former in
      if let former, former.belongs(to: container) { used = former }
      return used
    }
    return used
  }
}

/// Ends the construction when `build` makes no object.
private struct NothingMade: Error {}
