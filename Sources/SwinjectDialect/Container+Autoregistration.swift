// SPDX-License-Identifier: MIT

/// SwinjectAutoregistration: initialisers whose parameters are resolved.
extension Container {
  /// Registers an initialiser, whose parameters are resolved by their types.
  ///
  /// ```swift
  /// container.autoregister(Person.self, initializer: PetOwner.init)
  /// ```
  ///
  /// - Parameters:
  ///   - service: the type to resolve by.
  ///   - name: distinguishes services of one type.
  ///   - initializer: makes the service. A parameter that is not registered ends the program; an optional one is `nil`.
  /// - Returns: the entry, to chain functions to.
  @discardableResult public func autoregister<Service, each Dependency>(
    _ service: Service.Type, name: String? = nil,
    initializer: @escaping (repeat each Dependency) -> Service
  ) -> ServiceEntry<Service> {
    let initializer = Initializer(call: initializer)
    return register(service, name: name) { r in initializer(r, []) }
  }

  /// Registers an initialiser, of whose parameters the argument of a resolve is used for those that it fits.
  ///
  /// - Parameters:
  ///   - service: the type to resolve by.
  ///   - name: distinguishes services of one type.
  ///   - argument: the type of the argument.
  ///   - initializer: makes the service.
  /// - Returns: the entry, to chain functions to.
  @discardableResult public func autoregister<Service, A, each Dependency>(
    _ service: Service.Type, name: String? = nil, argument: A.Type,
    initializer: @escaping (repeat each Dependency) -> Service
  ) -> ServiceEntry<Service> {
    let initializer = Initializer(call: initializer)
    return register(service, name: name) { (r, a: A) in initializer(r, [a]) }
  }

  /// Registers an initialiser, of whose parameters the arguments of a resolve are used for those that they fit, in any order.
  ///
  /// - Parameters:
  ///   - service: the type to resolve by.
  ///   - name: distinguishes services of one type.
  ///   - a: the type of the first argument.
  ///   - b: the type of the second one, which must differ.
  ///   - initializer: makes the service.
  /// - Returns: the entry, to chain functions to.
  @discardableResult public func autoregister<Service, A, B, each Dependency>(
    _ service: Service.Type, name: String? = nil, arguments a: A.Type, _ b: B.Type,
    initializer: @escaping (repeat each Dependency) -> Service
  ) -> ServiceEntry<Service> {
    let initializer = Initializer(call: initializer, with: [a, b])
    return register(service, name: name) { (r, a: A, b: B) in initializer(r, [a, b]) }
  }

  /// Registers an initialiser, of whose parameters the arguments of a resolve are used for those that they fit, in any order.
  ///
  /// - Parameters:
  ///   - service: the type to resolve by.
  ///   - name: distinguishes services of one type.
  ///   - a: the type of the first argument.
  ///   - b: the type of the second one, which must differ.
  ///   - c: the type of the third one, which must differ.
  ///   - initializer: makes the service.
  /// - Returns: the entry, to chain functions to.
  @discardableResult public func autoregister<Service, A, B, C, each Dependency>(
    _ service: Service.Type, name: String? = nil, arguments a: A.Type, _ b: B.Type, _ c: C.Type,
    initializer: @escaping (repeat each Dependency) -> Service
  ) -> ServiceEntry<Service> {
    let initializer = Initializer(call: initializer, with: [a, b, c])
    return register(service, name: name) { (r, a: A, b: B, c: C) in initializer(r, [a, b, c]) }
  }
}

/// An initialiser whose parameters are resolved.
private struct Initializer<Service, each Dependency> {
  private let call: (repeat each Dependency) -> Service

  /// - Parameter arguments: the types of several arguments.
  init(call: @escaping (repeat each Dependency) -> Service, with arguments: [any Any.Type] = []) {
    self.call = call
    let areDifferent = Set(arguments.map { ObjectIdentifier($0) }).count == arguments.count
    let list = arguments.map { "\($0)" }.joined(separator: ", ")
    precondition(
      areDifferent,
      "Autoregistration of service with dynamic arguments of the same type (\(list)) is not supported"
    )
  }

  func callAsFunction(_ resolver: any Resolver, _ arguments: [Any]) -> Service {
    call(repeat value((each Dependency).self, resolver, arguments))
  }

  /// The first argument that is of the type, or else what is registered.
  private func value<Value>(
    _ type: Value.Type, _ resolver: any Resolver, _ arguments: [Any]
  ) -> Value {
    for case let argument as Value in arguments { return argument }
    if let value = resolver.resolve(type) { return value }
    var types: [String] = []
    for type in repeat (each Dependency).self { types.append("\(type)") }
    fatalError(
      "SwinjectAutoregistration: Resolution failed.\nUnresolved service: \(type)\n"
        + "Initializer: (\(types.joined(separator: ", "))) -> \(Service.self)")
  }
}
