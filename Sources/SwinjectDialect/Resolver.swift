// SPDX-License-Identifier: MIT

/// Resolves services.
///
/// A factory gets a resolver, for dependencies. Your own type may conform, such as a double for
/// tests.
public protocol Resolver {
  /// Resolves a service; `nil` if not registered.
  func resolve<S>(_: S.Type) -> S?
  /// Resolves a service by name; `nil` if not registered.
  func resolve<S>(_: S.Type, name: String?) -> S?
  /// Resolves a service whose factory takes an argument; `nil` if not registered.
  func resolve<S, A>(_: S.Type, argument: A) -> S?
  /// Resolves a service by name, whose factory takes an argument; `nil` if not registered.
  func resolve<S, A>(_: S.Type, name: String?, argument: A) -> S?
  /// Resolves a service whose factory takes two arguments; `nil` if not registered.
  func resolve<S, A, B>(_: S.Type, arguments: A, _: B) -> S?
  /// Resolves a service by name, whose factory takes two arguments; `nil` if not registered.
  func resolve<S, A, B>(_: S.Type, name: String?, arguments: A, _: B) -> S?
  /// Resolves a service whose factory takes three arguments; `nil` if not registered.
  func resolve<S, A, B, C>(_: S.Type, arguments: A, _: B, _: C) -> S?
  /// Resolves a service by name, whose factory takes three arguments; `nil` if not registered.
  func resolve<S, A, B, C>(_: S.Type, name: String?, arguments: A, _: B, _: C) -> S?
  /// Resolves a service whose factory takes four arguments; `nil` if not registered.
  func resolve<S, A, B, C, D>(_: S.Type, arguments: A, _: B, _: C, _: D) -> S?
  /// Resolves a service by name, whose factory takes four arguments; `nil` if not registered.
  func resolve<S, A, B, C, D>(_: S.Type, name: String?, arguments: A, _: B, _: C, _: D) -> S?
  /// Resolves a service whose factory takes five arguments; `nil` if not registered.
  func resolve<S, A, B, C, D, E>(_: S.Type, arguments: A, _: B, _: C, _: D, _: E) -> S?
  /// Resolves a service by name, whose factory takes five arguments; `nil` if not registered.
  func resolve<S, A, B, C, D, E>(_: S.Type, name: String?, arguments: A, _: B, _: C, _: D, _: E)
    -> S?
  /// Resolves a service whose factory takes six arguments; `nil` if not registered.
  func resolve<S, A, B, C, D, E, F>(_: S.Type, arguments: A, _: B, _: C, _: D, _: E, _: F) -> S?
  /// Resolves a service by name, whose factory takes six arguments; `nil` if not registered.
  func resolve<S, A, B, C, D, E, F>(
    _: S.Type, name: String?, arguments: A, _: B, _: C, _: D, _: E, _: F
  ) -> S?
  /// Resolves a service whose factory takes seven arguments; `nil` if not registered.
  func resolve<S, A, B, C, D, E, F, G>(_: S.Type, arguments: A, _: B, _: C, _: D, _: E, _: F, _: G)
    -> S?
  /// Resolves a service by name, whose factory takes seven arguments; `nil` if not registered.
  func resolve<S, A, B, C, D, E, F, G>(
    _: S.Type, name: String?, arguments: A, _: B, _: C, _: D, _: E, _: F, _: G
  ) -> S?
  /// Resolves a service whose factory takes eight arguments; `nil` if not registered.
  func resolve<S, A, B, C, D, E, F, G, H>(
    _: S.Type, arguments: A, _: B, _: C, _: D, _: E, _: F, _: G, _: H
  ) -> S?
  /// Resolves a service by name, whose factory takes eight arguments; `nil` if not registered.
  func resolve<S, A, B, C, D, E, F, G, H>(
    _: S.Type, name: String?, arguments: A, _: B, _: C, _: D, _: E, _: F, _: G, _: H
  ) -> S?
  /// Resolves a service whose factory takes nine arguments; `nil` if not registered.
  func resolve<S, A, B, C, D, E, F, G, H, I>(
    _: S.Type, arguments: A, _: B, _: C, _: D, _: E, _: F, _: G, _: H, _: I
  ) -> S?
  /// Resolves a service by name, whose factory takes nine arguments; `nil` if not registered.
  func resolve<S, A, B, C, D, E, F, G, H, I>(
    _: S.Type, name: String?, arguments: A, _: B, _: C, _: D, _: E, _: F, _: G, _: H, _: I
  ) -> S?
}

/// Resolves services whose factories take any number of arguments: for extensions.
public protocol _Resolver {
  /// Resolves a service.
  ///
  /// - Parameters:
  ///   - name: the name of the registration.
  ///   - option: the option of the registration.
  ///   - invoker: gets the factory, and calls the factory with a resolver and the arguments.
  func _resolve<Service, Arguments>(
    name: String?, option: (any ServiceKeyOption)?, invoker: @escaping ((Arguments) -> Any) -> Any
  ) -> Service?
}

/// Distinguishes services of equal type and name: for extensions.
public protocol ServiceKeyOption: CustomStringConvertible, Sendable {
  /// Whether this option equals an option of any type.
  func isEqualTo(_ another: any ServiceKeyOption) -> Bool
  /// Equal options hash equally.
  func hash(into: inout Hasher)
}
