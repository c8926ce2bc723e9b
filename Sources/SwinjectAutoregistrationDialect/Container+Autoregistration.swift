// SPDX-License-Identifier: MIT

public import SwinjectDialect

/// Registrations of initializers, whose parameters the container resolves.
extension Container {
  /// Registers an initializer; the container resolves the parameters by type.
  ///
  /// ```swift
  /// container.autoregister(Person.self, initializer: PetOwner.init)
  /// container.autoregister(
  ///   Person.self, arguments: String.self, Int.self, initializer: PetOwner.init)
  /// ```
  ///
  /// The arguments of a resolve are used for the parameters of fitting types, in any order.
  ///
  /// - Parameters:
  ///   - service: the type to resolve by.
  ///   - name: distinguishes services of equal type.
  ///   - arguments: the types of the arguments, of any number. The types must differ.
  ///   - initializer: makes the service. A parameter that is not registered ends the program; an
  ///     optional parameter is `nil`.
  /// - Returns: the entry, to chain functions to.
  @discardableResult public func autoregister<Service, each Argument, each Dependency>(
    _ service: Service.Type, name: String? = nil, arguments: repeat (each Argument).Type,
    initializer: @escaping (repeat each Dependency) -> Service
  ) -> ServiceEntry<Service> {
    var types: Set<ObjectIdentifier> = []
    for type in repeat each arguments {
      precondition(
        types.insert(ObjectIdentifier(type)).inserted,
        "Autoregistration of service with dynamic arguments of the same type \((repeat (each Argument)).self) is not supported"
      )
    }
    let type: any Any.Type = ((repeat each Dependency) -> Service).self
    func factory(_ resolver: any Resolver, _ arguments: repeat each Argument) -> Service {
      var values: [Any] = []
      for argument in repeat each arguments { values.append(argument) }
      return initializer(repeat dependency((each Dependency).self, resolver, values, of: type))
    }
    return register(service, name: name, factory: factory)
  }

  /// Registers an initializer; the argument of a resolve is used for the parameters of a fitting
  /// type.
  ///
  /// - Parameters:
  ///   - service: the type to resolve by.
  ///   - name: distinguishes services of equal type.
  ///   - argument: the type of the argument.
  ///   - initializer: makes the service.
  /// - Returns: the entry, to chain functions to.
  @discardableResult public func autoregister<Service, A, each Dependency>(
    _ service: Service.Type, name: String? = nil, argument: A.Type,
    initializer: @escaping (repeat each Dependency) -> Service
  ) -> ServiceEntry<Service> {
    autoregister(service, name: name, arguments: argument, initializer: initializer)
  }
}

/// The value of an initializer's parameter: the first argument of the type, or else the registered
/// service.
private func dependency<Value>(
  _ type: Value.Type, _ resolver: any Resolver, _ arguments: [Any], of initializer: any Any.Type
) -> Value {
  for case let argument as Value in arguments { return argument }
  if let value = resolver.resolve(type) { return value }
  fatalError(
    "SwinjectAutoregistration: Resolution failed.\nUnresolved service: \(type)\n"
      + "Initializer: \(initializer)")
}
