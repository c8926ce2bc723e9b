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
  /// A registration of the same type, name and types of arguments is replaced, with its instance.
  ///
  /// - Parameters:
  ///   - serviceType: the type to resolve by.
  ///   - name: distinguishes services of one type.
  ///   - factory: gets the container that was asked, and the arguments, of any number.
  /// - Returns: the entry, to chain functions to.
  @discardableResult public func register<Service, each Argument>(
    _ serviceType: Service.Type, name: String? = nil,
    factory: @escaping (any Resolver, repeat each Argument) -> Service
  ) -> ServiceEntry<Service> {
    _register(serviceType, factory: spread(factory), name: name)
  }

  /// Registers a factory that takes one value of any type: for extensions.
  ///
  /// - Parameters:
  ///   - serviceType: the type to resolve by.
  ///   - factory: gets what the invoker of ``_resolve(name:option:invoker:)`` passes to it.
  ///   - name: distinguishes services of one type.
  ///   - option: distinguishes services of one type and name.
  /// - Returns: the entry, to chain functions to.
  @discardableResult public func _register<Service, Arguments>(
    _ serviceType: Service.Type, factory: @escaping (Arguments) -> Any, name: String? = nil,
    option: (any ServiceKeyOption)? = nil
  ) -> ServiceEntry<Service> {
    let service = ServiceEntry<Service>(Factory(call: factory), in: self)
    add(Registered<Service, Arguments>(entry: service.entry, factory: factory), name, option)
    tellBehaviors(of: serviceType, service, name)
    return service
  }

  /// Has a registered service resolved by another type too: the same instance. `nil` if it is not of that type.
  ///
  /// - Parameters:
  ///   - type: the other type.
  ///   - name: the name to resolve by.
  ///   - service: the entry of the service.
  public func forward<T, S>(_ type: T.Type, name: String? = nil, to service: ServiceEntry<S>) {
    service.entry.factory.register(service.entry, as: type, name: name, in: self)
    tellBehaviors(of: type, service, name)
  }

  /// Whether a service is registered by a type and a name, here or in a parent, whatever the arguments of its factory.
  public func hasAnyRegistration<Service>(
    of serviceType: Service.Type, name: String? = nil
  ) -> Bool {
    entries.contains { $0.serviceType == serviceType && $0.name == name }
      || parent?.hasAnyRegistration(of: serviceType, name: name) ?? false
  }

  /// Lets the instances go of all services that have a scope, here and in the parents.
  public func resetObjectScope(_ objectScope: any ObjectScopeProtocol) {
    reset(objectScope, entries)
    parent?.resetObjectScope(objectScope)
  }

  /// Lets the instances go of all services that have a scope, here and in the parents.
  public func resetObjectScope(_ objectScope: ObjectScope) {
    resetObjectScope(objectScope as any ObjectScopeProtocol)
  }

  /// Lets the instances go of the services of one type that have a scope, here and in the parents as far as each has the type.
  public func resetObjectScope(
    _ objectScope: any ObjectScopeProtocol, serviceType: any Any.Type
  ) {
    let entries = entries.filter { $0.serviceType == serviceType }
    if entries.isEmpty { return }
    reset(objectScope, entries)
    parent?.resetObjectScope(objectScope, serviceType: serviceType)
  }

  /// Lets the instances go of the services of one type that have a scope, here and in the parents as far as each has the type.
  public func resetObjectScope(_ objectScope: ObjectScope, serviceType: any Any.Type) {
    resetObjectScope(objectScope as any ObjectScopeProtocol, serviceType: serviceType)
  }

  private func reset(_ objectScope: any ObjectScopeProtocol, _ entries: [ListedEntry]) {
    for listed in entries where listed.entry.settings.load().scope === objectScope {
      listed.entry.reset()
    }
  }

  func add<Service, Arguments>(
    _ registered: Registered<Service, Arguments>, _ name: String?,
    _ option: (any ServiceKeyOption)?
  ) {
    _ = orEndProgram {
      try core.register(uncheckedValue: registered, name: .of(name, option))
    }
    guard Arguments.self == (any Resolver).self, option == nil else { return }
    _ = orEndProgram {
      try core.register(Service.self, name: .of(name, nil), scope: .transient) { resolver in
        try Container.serve(name, resolver)
      }
    }
  }
}

/// A function of a pack, which can neither be stored nor cast, as a function of a tuple.
private func spread<each Parameter, Result>(
  _ function: @escaping (repeat each Parameter) -> Result
) -> ((repeat each Parameter)) -> Any {
  { parameters in function(repeat each parameters) }
}
