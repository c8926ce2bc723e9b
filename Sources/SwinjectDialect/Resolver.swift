// SPDX-License-Identifier: MIT

/// Resolves services.
///
/// A factory gets one, for its dependencies. A type of your own may conform, such as a double for tests.
public protocol Resolver {
  /// Resolves a service; `nil` if it is not registered.
  func resolve<S>(_ type: S.Type) -> S?
  /// Resolves a service, by its name; `nil` if it is not registered.
  func resolve<S>(_ type: S.Type, name: String?) -> S?
  /// Resolves a service whose factory takes an argument; `nil` if it is not registered.
  func resolve<S, A>(_ type: S.Type, argument a: A) -> S?
  /// Resolves a service whose factory takes an argument, by its name; `nil` if it is not registered.
  func resolve<S, A>(_ type: S.Type, name: String?, argument a: A) -> S?
  /// Resolves a service whose factory takes two arguments; `nil` if it is not registered.
  func resolve<S, A, B>(_ type: S.Type, arguments a: A, _ b: B) -> S?
  /// Resolves a service whose factory takes two arguments, by its name; `nil` if it is not registered.
  func resolve<S, A, B>(_ type: S.Type, name: String?, arguments a: A, _ b: B) -> S?
  /// Resolves a service whose factory takes three arguments; `nil` if it is not registered.
  func resolve<S, A, B, C>(_ type: S.Type, arguments a: A, _ b: B, _ c: C) -> S?
  /// Resolves a service whose factory takes three arguments, by its name; `nil` if it is not registered.
  func resolve<S, A, B, C>(_ type: S.Type, name: String?, arguments a: A, _ b: B, _ c: C) -> S?
  /// Resolves a service whose factory takes four arguments; `nil` if it is not registered.
  func resolve<S, A, B, C, D>(_ type: S.Type, arguments a: A, _ b: B, _ c: C, _ d: D) -> S?
  /// Resolves a service whose factory takes four arguments, by its name; `nil` if it is not registered.
  func resolve<S, A, B, C, D>(_ type: S.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D)
    -> S?
  /// Resolves a service whose factory takes five arguments; `nil` if it is not registered.
  func resolve<S, A, B, C, D, E>(_ type: S.Type, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E)
    -> S?
  /// Resolves a service whose factory takes five arguments, by its name; `nil` if it is not registered.
  func resolve<S, A, B, C, D, E>(
    _ type: S.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) -> S?
  /// Resolves a service whose factory takes six arguments; `nil` if it is not registered.
  func resolve<S, A, B, C, D, E, F>(
    _ type: S.Type, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> S?
  /// Resolves a service whose factory takes six arguments, by its name; `nil` if it is not registered.
  func resolve<S, A, B, C, D, E, F>(
    _ type: S.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> S?
  /// Resolves a service whose factory takes seven arguments; `nil` if it is not registered.
  func resolve<S, A, B, C, D, E, F, G>(
    _ type: S.Type, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) -> S?
  /// Resolves a service whose factory takes seven arguments, by its name; `nil` if it is not registered.
  func resolve<S, A, B, C, D, E, F, G>(
    _ type: S.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) -> S?
  /// Resolves a service whose factory takes eight arguments; `nil` if it is not registered.
  func resolve<S, A, B, C, D, E, F, G, H>(
    _ type: S.Type, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) -> S?
  /// Resolves a service whose factory takes eight arguments, by its name; `nil` if it is not registered.
  func resolve<S, A, B, C, D, E, F, G, H>(
    _ type: S.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G,
    _ h: H
  ) -> S?
  /// Resolves a service whose factory takes nine arguments; `nil` if it is not registered.
  func resolve<S, A, B, C, D, E, F, G, H, I>(
    _ type: S.Type, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I
  ) -> S?
  /// Resolves a service whose factory takes nine arguments, by its name; `nil` if it is not registered.
  func resolve<S, A, B, C, D, E, F, G, H, I>(
    _ type: S.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G,
    _ h: H, _ i: I
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
