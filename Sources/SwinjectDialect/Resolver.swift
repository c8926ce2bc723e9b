// SPDX-License-Identifier: MIT

/// Resolves services.
///
/// A factory gets one, for its dependencies. A type of your own may conform, such as a double for tests.
public protocol Resolver {
  /// Resolves a service; `nil` if it is not registered.
  func resolve<Service>(_ type: Service.Type) -> Service?
  /// Resolves a service, by its name; `nil` if it is not registered.
  func resolve<Service>(_ type: Service.Type, name: String?) -> Service?
  /// Resolves a service whose factory takes an argument; `nil` if it is not registered.
  func resolve<Service, A>(_ type: Service.Type, argument a: A) -> Service?
  /// Resolves a service whose factory takes an argument, by its name; `nil` if it is not registered.
  func resolve<Service, A>(_ type: Service.Type, name: String?, argument a: A) -> Service?
  /// Resolves a service whose factory takes two arguments; `nil` if it is not registered.
  func resolve<Service, A, B>(_ type: Service.Type, arguments a: A, _ b: B) -> Service?
  /// Resolves a service whose factory takes two arguments, by its name; `nil` if it is not registered.
  func resolve<Service, A, B>(_ type: Service.Type, name: String?, arguments a: A, _ b: B)
    -> Service?
  /// Resolves a service whose factory takes three arguments; `nil` if it is not registered.
  func resolve<Service, A, B, C>(_ type: Service.Type, arguments a: A, _ b: B, _ c: C) -> Service?
  /// Resolves a service whose factory takes three arguments, by its name; `nil` if it is not registered.
  func resolve<Service, A, B, C>(
    _ type: Service.Type, name: String?, arguments a: A, _ b: B, _ c: C
  ) -> Service?
  /// Resolves a service whose factory takes four arguments; `nil` if it is not registered.
  func resolve<Service, A, B, C, D>(_ type: Service.Type, arguments a: A, _ b: B, _ c: C, _ d: D)
    -> Service?
  /// Resolves a service whose factory takes four arguments, by its name; `nil` if it is not registered.
  func resolve<Service, A, B, C, D>(
    _ type: Service.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D
  ) -> Service?
  /// Resolves a service whose factory takes five arguments; `nil` if it is not registered.
  func resolve<Service, A, B, C, D, E>(
    _ type: Service.Type, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) -> Service?
  /// Resolves a service whose factory takes five arguments, by its name; `nil` if it is not registered.
  func resolve<Service, A, B, C, D, E>(
    _ type: Service.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) -> Service?
  /// Resolves a service whose factory takes six arguments; `nil` if it is not registered.
  func resolve<Service, A, B, C, D, E, F>(
    _ type: Service.Type, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> Service?
  /// Resolves a service whose factory takes six arguments, by its name; `nil` if it is not registered.
  func resolve<Service, A, B, C, D, E, F>(
    _ type: Service.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> Service?
  /// Resolves a service whose factory takes seven arguments; `nil` if it is not registered.
  func resolve<Service, A, B, C, D, E, F, G>(
    _ type: Service.Type, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) -> Service?
  /// Resolves a service whose factory takes seven arguments, by its name; `nil` if it is not registered.
  func resolve<Service, A, B, C, D, E, F, G>(
    _ type: Service.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F,
    _ g: G
  ) -> Service?
  /// Resolves a service whose factory takes eight arguments; `nil` if it is not registered.
  func resolve<Service, A, B, C, D, E, F, G, H>(
    _ type: Service.Type, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) -> Service?
  /// Resolves a service whose factory takes eight arguments, by its name; `nil` if it is not registered.
  func resolve<Service, A, B, C, D, E, F, G, H>(
    _ type: Service.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F,
    _ g: G, _ h: H
  ) -> Service?
  /// Resolves a service whose factory takes nine arguments; `nil` if it is not registered.
  func resolve<Service, A, B, C, D, E, F, G, H, I>(
    _ type: Service.Type, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H,
    _ i: I
  ) -> Service?
  /// Resolves a service whose factory takes nine arguments, by its name; `nil` if it is not registered.
  func resolve<Service, A, B, C, D, E, F, G, H, I>(
    _ type: Service.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F,
    _ g: G, _ h: H, _ i: I
  ) -> Service?
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
