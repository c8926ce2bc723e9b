// SPDX-License-Identifier: MIT

/// Resolves services.
///
/// A factory gets one, for its dependencies. A type of your own may conform, such as a double for tests.
public protocol Resolver {
  /// Resolves a service; `nil` if it is not registered.
  func resolve<S>(_: S.Type) -> S?
  /// Resolves a service, by its name; `nil` if it is not registered.
  func resolve<S>(_: S.Type, name: String?) -> S?
  /// Resolves a service whose factory takes an argument; `nil` if it is not registered.
  func resolve<S, A>(_: S.Type, argument: A) -> S?
  /// Resolves a service whose factory takes an argument, by its name; `nil` if it is not registered.
  func resolve<S, A>(_: S.Type, name: String?, argument: A) -> S?
  /// Resolves a service whose factory takes two arguments; `nil` if it is not registered.
  func resolve<S, A, B>(_: S.Type, arguments: A, _: B) -> S?
  /// Resolves a service whose factory takes two arguments, by its name; `nil` if it is not registered.
  func resolve<S, A, B>(_: S.Type, name: String?, arguments: A, _: B) -> S?
  /// Resolves a service whose factory takes three arguments; `nil` if it is not registered.
  func resolve<S, A, B, C>(_: S.Type, arguments: A, _: B, _: C) -> S?
  /// Resolves a service whose factory takes three arguments, by its name; `nil` if it is not registered.
  func resolve<S, A, B, C>(_: S.Type, name: String?, arguments: A, _: B, _: C) -> S?
  /// Resolves a service whose factory takes four arguments; `nil` if it is not registered.
  func resolve<S, A, B, C, D>(_: S.Type, arguments: A, _: B, _: C, _: D) -> S?
  /// Resolves a service whose factory takes four arguments, by its name; `nil` if it is not registered.
  func resolve<S, A, B, C, D>(_: S.Type, name: String?, arguments: A, _: B, _: C, _: D) -> S?
  /// Resolves a service whose factory takes five arguments; `nil` if it is not registered.
  func resolve<S, A, B, C, D, E>(_: S.Type, arguments: A, _: B, _: C, _: D, _: E) -> S?
  /// Resolves a service whose factory takes five arguments, by its name; `nil` if it is not registered.
  func resolve<S, A, B, C, D, E>(_: S.Type, name: String?, arguments: A, _: B, _: C, _: D, _: E)
    -> S?
  /// Resolves a service whose factory takes six arguments; `nil` if it is not registered.
  func resolve<S, A, B, C, D, E, F>(_: S.Type, arguments: A, _: B, _: C, _: D, _: E, _: F) -> S?
  /// Resolves a service whose factory takes six arguments, by its name; `nil` if it is not registered.
  func resolve<S, A, B, C, D, E, F>(
    _: S.Type, name: String?, arguments: A, _: B, _: C, _: D, _: E, _: F
  ) -> S?
  /// Resolves a service whose factory takes seven arguments; `nil` if it is not registered.
  func resolve<S, A, B, C, D, E, F, G>(_: S.Type, arguments: A, _: B, _: C, _: D, _: E, _: F, _: G)
    -> S?
  /// Resolves a service whose factory takes seven arguments, by its name; `nil` if it is not registered.
  func resolve<S, A, B, C, D, E, F, G>(
    _: S.Type, name: String?, arguments: A, _: B, _: C, _: D, _: E, _: F, _: G
  ) -> S?
  /// Resolves a service whose factory takes eight arguments; `nil` if it is not registered.
  func resolve<S, A, B, C, D, E, F, G, H>(
    _: S.Type, arguments: A, _: B, _: C, _: D, _: E, _: F, _: G, _: H
  ) -> S?
  /// Resolves a service whose factory takes eight arguments, by its name; `nil` if it is not registered.
  func resolve<S, A, B, C, D, E, F, G, H>(
    _: S.Type, name: String?, arguments: A, _: B, _: C, _: D, _: E, _: F, _: G, _: H
  ) -> S?
  /// Resolves a service whose factory takes nine arguments; `nil` if it is not registered.
  func resolve<S, A, B, C, D, E, F, G, H, I>(
    _: S.Type, arguments: A, _: B, _: C, _: D, _: E, _: F, _: G, _: H, _: I
  ) -> S?
  /// Resolves a service whose factory takes nine arguments, by its name; `nil` if it is not registered.
  func resolve<S, A, B, C, D, E, F, G, H, I>(
    _: S.Type, name: String?, arguments: A, _: B, _: C, _: D, _: E, _: F, _: G, _: H, _: I
  ) -> S?
}

/// Resolves services whatever the number of the arguments that their factories take: for extensions.
public protocol _Resolver {
  /// Resolves a service.
  ///
  /// - Parameters:
  ///   - name: the name that it is registered under.
  ///   - option: the option that it is registered under.
  ///   - invoker: calls the factory that it gets, with a resolver and the arguments.
  func _resolve<Service, Arguments>(
    name: String?, option: (any ServiceKeyOption)?, invoker: @escaping ((Arguments) -> Any) -> Any
  ) -> Service?
}

/// Tells services of one type and name apart: for extensions.
public protocol ServiceKeyOption: CustomStringConvertible, Sendable {
  /// Whether it is equal to another option, of any type.
  func isEqualTo(_ another: any ServiceKeyOption) -> Bool
  /// Equal options hash equally.
  func hash(into: inout Hasher)
}
