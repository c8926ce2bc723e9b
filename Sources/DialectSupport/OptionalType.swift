// SPDX-License-Identifier: MIT

package import Corinth

/// `T?` for some `T`, for code with a single generic type for the whole optional.
package protocol OptionalType {
  /// An instance of the wrapped type, if registered.
  ///
  /// - Parameter argument: the argument, of any type, for factories that take an argument; `nil`
  ///   for factories without arguments.
  static func resolveWrapped(
    in container: Corinth.Container, name: Name?, for argument: Any?
  ) throws -> Self?
  /// Whether the wrapped type is registered, by a factory with an argument or without.
  static func isWrappedRegistered(in container: Corinth.Container, name: Name?) -> Bool
  /// The wrapped value.
  var wrapped: Any? { get }
  /// `nil` as a value of the type, which is `Value` for the caller.
  static func empty<Value>(as type: Value.Type) -> Value?
}

/// The type as an optional type; `nil` for all other types, which pay three instructions instead of
/// a failing cast.
package func optionalType(_ type: any Any.Type) -> (any OptionalType.Type)? {
  isOptional(type) ? type as? any OptionalType.Type : nil
}

extension Optional: OptionalType {
  package static func resolveWrapped(
    in container: Corinth.Container, name: Name?, for argument: Any?
  ) throws -> Wrapped?? {
    guard let argument else {
      let found =
        try name.map { try container.resolveIfRegistered(Wrapped.self, name: $0) }
        ?? container.resolveIfRegisteredItself(Wrapped.self)
      return found.map { .some($0) }
    }
    // `as Any`: otherwise the argument's dynamic type would select the registration.
    return try container.resolveIfRegistered(Wrapped.self, name: name, arguments: argument as Any)
      .map { .some($0) }
  }

  package static func isWrappedRegistered(
    in container: Corinth.Container, name: Name?
  ) -> Bool {
    container.contains(Wrapped.self, name: name)
      || container.contains(Wrapped.self, name: name, arguments: Any.self)
  }

  package var wrapped: Any? { self }

  // The static types are equal: nothing is unwrapped, and the `nil` of a `T??` stays the outer
  // `nil`.
  package static func empty<Value>(as type: Value.Type) -> Value? { Self.none as? Value }
}
