// SPDX-License-Identifier: MIT

/// Resolves services.
///
/// A factory gets one, for its dependencies. A type of your own may conform, such as a double for tests.
public protocol Resolver {
  /// Resolves a service; `nil` if it is not registered.
  func resolve<Service>(_ serviceType: Service.Type) -> Service?
  /// Resolves a service, by its name; `nil` if it is not registered.
  func resolve<Service>(_ serviceType: Service.Type, name: String?) -> Service?
  /// Resolves a service whose factory takes an argument; `nil` if it is not registered.
  func resolve<Service, Arg1>(_ serviceType: Service.Type, argument: Arg1) -> Service?
  /// Resolves a service whose factory takes an argument, by its name; `nil` if it is not registered.
  func resolve<Service, Arg1>(_ serviceType: Service.Type, name: String?, argument: Arg1)
    -> Service?
  /// Resolves a service whose factory takes two arguments; `nil` if it is not registered.
  func resolve<Service, Arg1, Arg2>(_ serviceType: Service.Type, arguments arg1: Arg1, _ arg2: Arg2)
    -> Service?
  /// Resolves a service whose factory takes two arguments, by its name; `nil` if it is not registered.
  func resolve<Service, Arg1, Arg2>(
    _ serviceType: Service.Type, name: String?, arguments arg1: Arg1, _ arg2: Arg2
  ) -> Service?
  /// Resolves a service whose factory takes three arguments; `nil` if it is not registered.
  func resolve<Service, Arg1, Arg2, Arg3>(
    _ serviceType: Service.Type, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3
  ) -> Service?
  /// Resolves a service whose factory takes three arguments, by its name; `nil` if it is not registered.
  func resolve<Service, Arg1, Arg2, Arg3>(
    _ serviceType: Service.Type, name: String?, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3
  ) -> Service?
  /// Resolves a service whose factory takes four arguments; `nil` if it is not registered.
  func resolve<Service, Arg1, Arg2, Arg3, Arg4>(
    _ serviceType: Service.Type, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3, _ arg4: Arg4
  ) -> Service?
  /// Resolves a service whose factory takes four arguments, by its name; `nil` if it is not registered.
  func resolve<Service, Arg1, Arg2, Arg3, Arg4>(
    _ serviceType: Service.Type, name: String?, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3,
    _ arg4: Arg4
  ) -> Service?
  /// Resolves a service whose factory takes five arguments; `nil` if it is not registered.
  func resolve<Service, Arg1, Arg2, Arg3, Arg4, Arg5>(
    _ serviceType: Service.Type, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3, _ arg4: Arg4,
    _ arg5: Arg5
  ) -> Service?
  /// Resolves a service whose factory takes five arguments, by its name; `nil` if it is not registered.
  func resolve<Service, Arg1, Arg2, Arg3, Arg4, Arg5>(
    _ serviceType: Service.Type, name: String?, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3,
    _ arg4: Arg4, _ arg5: Arg5
  ) -> Service?
  /// Resolves a service whose factory takes six arguments; `nil` if it is not registered.
  func resolve<Service, Arg1, Arg2, Arg3, Arg4, Arg5, Arg6>(
    _ serviceType: Service.Type, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3, _ arg4: Arg4,
    _ arg5: Arg5, _ arg6: Arg6
  ) -> Service?
  /// Resolves a service whose factory takes six arguments, by its name; `nil` if it is not registered.
  func resolve<Service, Arg1, Arg2, Arg3, Arg4, Arg5, Arg6>(
    _ serviceType: Service.Type, name: String?, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3,
    _ arg4: Arg4, _ arg5: Arg5, _ arg6: Arg6
  ) -> Service?
  /// Resolves a service whose factory takes seven arguments; `nil` if it is not registered.
  func resolve<Service, Arg1, Arg2, Arg3, Arg4, Arg5, Arg6, Arg7>(
    _ serviceType: Service.Type, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3, _ arg4: Arg4,
    _ arg5: Arg5, _ arg6: Arg6, _ arg7: Arg7
  ) -> Service?
  /// Resolves a service whose factory takes seven arguments, by its name; `nil` if it is not registered.
  func resolve<Service, Arg1, Arg2, Arg3, Arg4, Arg5, Arg6, Arg7>(
    _ serviceType: Service.Type, name: String?, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3,
    _ arg4: Arg4, _ arg5: Arg5, _ arg6: Arg6, _ arg7: Arg7
  ) -> Service?
  /// Resolves a service whose factory takes eight arguments; `nil` if it is not registered.
  func resolve<Service, Arg1, Arg2, Arg3, Arg4, Arg5, Arg6, Arg7, Arg8>(
    _ serviceType: Service.Type, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3, _ arg4: Arg4,
    _ arg5: Arg5, _ arg6: Arg6, _ arg7: Arg7, _ arg8: Arg8
  ) -> Service?
  /// Resolves a service whose factory takes eight arguments, by its name; `nil` if it is not registered.
  func resolve<Service, Arg1, Arg2, Arg3, Arg4, Arg5, Arg6, Arg7, Arg8>(
    _ serviceType: Service.Type, name: String?, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3,
    _ arg4: Arg4, _ arg5: Arg5, _ arg6: Arg6, _ arg7: Arg7, _ arg8: Arg8
  ) -> Service?
  /// Resolves a service whose factory takes nine arguments; `nil` if it is not registered.
  func resolve<Service, Arg1, Arg2, Arg3, Arg4, Arg5, Arg6, Arg7, Arg8, Arg9>(
    _ serviceType: Service.Type, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3, _ arg4: Arg4,
    _ arg5: Arg5, _ arg6: Arg6, _ arg7: Arg7, _ arg8: Arg8, _ arg9: Arg9
  ) -> Service?
  /// Resolves a service whose factory takes nine arguments, by its name; `nil` if it is not registered.
  func resolve<Service, Arg1, Arg2, Arg3, Arg4, Arg5, Arg6, Arg7, Arg8, Arg9>(
    _ serviceType: Service.Type, name: String?, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3,
    _ arg4: Arg4, _ arg5: Arg5, _ arg6: Arg6, _ arg7: Arg7, _ arg8: Arg8, _ arg9: Arg9
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
