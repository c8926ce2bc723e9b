// SPDX-License-Identifier: MIT

/// The keys that the program itself resolves, for ``Container/validate(roots:inputs:strictly:)``:
/// types, or keys with names and arguments.
///
/// ```swift
/// try container.validate(roots: [Server.self, Worker.self])
/// try container.validate(roots: .keys([.init(Server.self), .init(Worker.self, name: "nightly")]))
/// ```
///
/// ## Concurrency
/// Immutable; safe to share.
public struct ValidationRoots: Sendable, ExpressibleByArrayLiteral {
  let keys: [RegistrationKey]

  /// The registrations of the types, without names and arguments.
  ///
  /// - Parameter types: the registered types.
  public init(arrayLiteral types: any Any.Type...) {
    self = .types(types)
  }

  /// The registrations of a list of types, without names and arguments.
  ///
  /// ```swift
  /// try container.validate(roots: .types(handlers))
  /// ```
  ///
  /// - Parameter types: the registered types.
  public static func types(_ types: [any Any.Type]) -> Self {
    .keys(types.map { RegistrationKey(product: $0) })
  }

  /// The registrations of given keys.
  ///
  /// ```swift
  /// try container.validate(roots: .keys([.init(Worker.self, name: "nightly")]))
  /// ```
  ///
  /// - Parameter keys: the keys of the registrations.
  public static func keys(_ keys: [RegistrationKey]) -> Self {
    Self(keys: keys)
  }

  private init(keys: [RegistrationKey]) {
    self.keys = keys
  }
}
