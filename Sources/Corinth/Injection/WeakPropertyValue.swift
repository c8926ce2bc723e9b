// SPDX-License-Identifier: MIT

/// An object that is resolved, not kept alive, and resolved again once it is gone: the storage for property wrappers of the
/// dialects.
///
/// ## Concurrency
/// As ``PropertyValue``: threads that use it at once get one object.
@usableFromInline
package struct WeakPropertyValue<Value>: Sendable {
  private let storage = WeakPropertyStorage<Value>()

  /// An object that is not there yet.
  @usableFromInline
  package init() {}

  /// The object, made by `build` if there is none; `nil` if `build` made none. The container is not kept.
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

/// The construction of an object, which holds it weakly.
final class WeakPropertyStorage<Value>: Sendable {
  private let latest = ReplaceableReference<PropertyConstruction<Value>>()

  /// The object; `nil` if `build` made none.
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

/// Ends the construction of an object that there is none of.
private struct NothingMade: Error {}
