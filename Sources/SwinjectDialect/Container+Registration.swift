// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport

extension Container {
  /// Registers a factory.
  ///
  /// ```swift
  /// container.register(Animal.self) { _, name in Horse(name: name) }
  /// container.register(Animal.self, name: "cat") { _ in Cat() }
  /// ```
  ///
  /// A registration of equal type, name and argument types is replaced, with its instance.
  ///
  /// - Parameters:
  ///   - serviceType: the type to resolve by.
  ///   - name: distinguishes services of equal type.
  ///   - factory: gets the container of the resolve, and the arguments, of any number.
  /// - Returns: the entry, to chain functions to.
  @inlinable @discardableResult public func register<Service, each Argument>(
    _ serviceType: Service.Type, name: String? = nil,
    factory: @escaping (any Resolver, repeat each Argument) -> Service
  ) -> ServiceEntry<Service> {
    _register(serviceType, factory: spread(factory), name: name)
  }

  /// Registers a factory that takes a single value of any type: for extensions.
  ///
  /// - Parameters:
  ///   - serviceType: the type to resolve by.
  ///   - factory: gets the value that the invoker of ``_resolve(name:option:invoker:)`` passes.
  ///   - name: distinguishes services of equal type.
  ///   - option: distinguishes services of equal type and name.
  /// - Returns: the entry, to chain functions to.
  @discardableResult public func _register<Service, Arguments>(
    _ serviceType: Service.Type, factory: @escaping (Arguments) -> Any, name: String? = nil,
    option: (any ServiceKeyOption)? = nil
  ) -> ServiceEntry<Service> {
    let entry = Entry(of: serviceType, in: self)
    let registered = Registered<Service, Arguments>(entry, factory, name, option)
    add(registered)
    let service = ServiceEntry<Service>(registered)
    tellBehaviors(of: serviceType, service, name)
    return service
  }

  /// Serves a registered service under a second type too, with the same instance. A resolve returns
  /// `nil` if the instance is not of that type.
  ///
  /// - Parameters:
  ///   - type: the second type.
  ///   - name: the name to resolve by.
  ///   - service: the entry of the service.
  public func forward<T, S>(_ type: T.Type, name: String? = nil, to service: ServiceEntry<S>) {
    service.registered.register(as: type, name: name, in: self)
    tellBehaviors(of: type, service, name)
  }

  /// Whether a service is registered under a type and a name, here or in a parent, with a factory
  /// of any arguments.
  public func hasAnyRegistration<Service>(of type: Service.Type, name: String? = nil) -> Bool {
    registrations.contains { $0.serviceType == type && $0.name == name }
      || parent?.hasAnyRegistration(of: type, name: name) ?? false
  }

  /// Releases the instances of all services of a scope, here and in the parents.
  public func resetObjectScope(_ scope: any ObjectScopeProtocol) { reset(scope, of: nil) }

  /// Releases the instances of all services of a scope, here and in the parents.
  public func resetObjectScope(_ scope: ObjectScope) { reset(scope, of: nil) }

  /// Releases the instances of the services of a type and a scope, here and in the parents, up to
  /// the first container without the type.
  public func resetObjectScope(_ scope: any ObjectScopeProtocol, serviceType: any Any.Type) {
    reset(scope, of: serviceType)
  }

  /// Releases the instances of the services of a type and a scope, here and in the parents, up to
  /// the first container without the type.
  public func resetObjectScope(_ scope: ObjectScope, serviceType: any Any.Type) {
    reset(scope, of: serviceType)
  }

  private func reset(_ scope: any ObjectScopeProtocol, of type: (any Any.Type)?) {
    let registrations = registrations.filter { type == nil || $0.serviceType == type }
    if type != nil, registrations.isEmpty { return }
    for entry in registrations.map(\.entry) where entry.settings.value.scope === scope {
      entry.reset(in: self)
    }
    parent?.reset(scope, of: type)
  }

  func add<Service, Arguments>(_ registered: Registered<Service, Arguments>) {
    let key = Name.of(registered.name, registered.option)
    orEndProgram { try core.register(uncheckedValue: registered, name: key) }
    guard Arguments.self == (any Resolver).self, registered.option == nil else { return }
    orEndProgram {
      try core.register(Service.self, name: key, scope: .transient) { try Container.serve(key, $0) }
    }
  }
}

/// A function of a tuple for a function of a parameter pack, which can neither be stored nor cast.
@inlinable func spread<each Parameter, Result>(
  _ function: @escaping (repeat each Parameter) -> Result
) -> ((repeat each Parameter)) -> Any {
  { parameters in function(repeat each parameters) }
}
