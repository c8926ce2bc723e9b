// SPDX-License-Identifier: MIT

public import Corinth
public import DialectSupport

extension Container: _Resolver {
  /// Resolves a service whose factory takes the value that the invoker passes: for extensions.
  ///
  /// - Parameters:
  ///   - name: the name of the registration.
  ///   - option: the option of the registration.
  ///   - invoker: gets the factory, and calls the factory.
  /// - Returns: the service; `nil` if not registered. A failure is printed if the environment has
  ///   `SWINJECT_LOGGING_ENABLED` as `1`.
  @inlinable public func _resolve<Service, Arguments>(
    name: String?, option: (any ServiceKeyOption)? = nil,
    invoker: @escaping ((Arguments) -> Any) -> Any
  ) -> Service? {
    if let found: Registered<Service, Arguments> = registered(.of(name, option)) {
      if let service = instance(of: found, or: { invoker(found.factory) }) { return service }
      return resolveMisfit(found, invoker)
    }
    return resolveUnregistered(name, option, invoker)
  }

  /// Runs a closure in a graph: resolves of the closure share the objects of the graph that are
  /// still in use.
  ///
  /// - Parameters:
  ///   - identifier: the `GraphIdentifier` that a factory has resolved.
  ///   - closure: gets this container.
  public func withObjectGraph<T>(
    _ identifier: GraphIdentifier, closure: (Container) throws -> T
  ) rethrows -> T {
    try Run(self, identifier, in: Run.current(of: self)).perform { _ in try closure(self) }
  }

  /// The registration of a key; `nil` for the graph of the moment too.
  @inlinable @inline(__always) func registered<Service, Arguments>(
    _ key: Name?
  ) -> Registered<Service, Arguments>? {
    if isGraph(Service.self, Arguments.self), key == nil { return nil }
    return orEndProgram { try core.resolveIfRegisteredItself(Registered.self, name: key) }
  }

  @inlinable func instance<Service, Arguments>(
    of found: Registered<Service, Arguments>, or make: () -> Any
  ) -> Service? {
    if let held = found.entry.settled, isInstance(held.instance, of: Service.self) {
      return DialectSupport.instance(held.instance, as: Service.self)
    }
    let instance = found.entry.instance(
      in: self, if: { !isMissing($0) && isInstance($0, of: Service.self) }, or: make)
    return isMissing(instance) ? nil : DialectSupport.instance(instance, as: Service.self)
  }

  private func anyInstance<Service, Arguments>(
    of found: Registered<Service, Arguments>, or make: () -> Any
  ) -> Any? {
    let instance =
      found.entry.settled?.instance
      ?? found.entry.instance(in: self, if: { !isMissing($0) }, or: make)
    return isMissing(instance) ? nil : instance
  }

  /// Resolves a service whose registration has made an instance of an unfitting type: by the
  /// registration of the wrapped type, if the service is a wrapper.
  @usableFromInline func resolveMisfit<Service, Arguments>(
    _ found: Registered<Service, Arguments>, _ invoker: @escaping ((Arguments) -> Any) -> Any
  ) -> Service? {
    if mayBeWrapper(Service.self), let wrapper = Service.self as? any InstanceWrapper.Type,
      let service = wrap(wrapper, .of(found.name, found.option), invoker) as? Service
    {
      return service
    }
    logFailure(Service.self, Arguments.self, found.name, found.option)
    return nil
  }

  /// Whether a resolve without a registration through this interface has no result; a miss is
  /// logged.
  @usableFromInline func isMiss(
    of service: any Any.Type, _ arguments: any Any.Type, _ name: String?, _ key: Name?
  ) -> Bool {
    let isPlain = arguments == (any Resolver).self
    if mayBeWrapper(service) || isPlain && core.contains(type: service, name: key)
      || key == nil && isGraph(service, arguments)
    {
      return false
    }
    logFailure(service, arguments, name, nil)
    return true
  }

  /// Resolves a service without a registration through this interface.
  @usableFromInline func resolveUnregistered<Service, Arguments>(
    _ name: String?, _ option: (any ServiceKeyOption)?,
    _ invoker: @escaping ((Arguments) -> Any) -> Any
  ) -> Service? {
    let key = Name.of(name, option)
    if isGraph(Service.self, Arguments.self), key == nil {
      return Run.currentGraph(of: self) as? Service
    }
    if let resolve: () -> Service? = resolutionInCorinth(key, Arguments.self) { return resolve() }
    let wrapper = Service.self as? any InstanceWrapper.Type
    if let service = wrapper.flatMap({ wrap($0, key, invoker) }) as? Service { return service }
    logFailure(Service.self, Arguments.self, name, option)
    return nil
  }

  private func wrap<Wrapper: InstanceWrapper, Arguments>(
    _ type: Wrapper.Type, _ key: Name?, _ invoker: @escaping ((Arguments) -> Any) -> Any
  ) -> Any? {
    if let found: Registered<Wrapper.Wrapped, Arguments> = registered(key) {
      // The instance may be of any type, as in Swinject: an unfitting instance is kept and
      // completed, and not returned.
      return Wrapper(
        {
          self.anyInstance(of: found) { invoker(found.factory) }.flatMap { $0 as? Wrapper.Wrapped }
        }, in: self)
    }
    return Wrapper(resolutionInCorinth(key, Arguments.self), in: self)
  }

  /// The resolution of a service that a module has registered with Corinth's own interface, here or
  /// in a parent; `nil` if no module has. The returned closure keeps the container alive.
  private func resolutionInCorinth<Service>(
    _ key: Name?, _ arguments: any Any.Type
  ) -> (() -> Service?)? {
    guard arguments == (any Resolver).self, core.contains(type: Service.self, name: key) else {
      return nil
    }
    return {
      do { return try self.core.resolveIfRegisteredItself(Service.self, name: key) } catch {
        if (error as? ResolutionError)?.underlyingError is NotServed { return nil }
        endProgram(error)
      }
    }
  }

  /// Serves a resolve through Corinth's own interface.
  static func serve<Service>(_ key: Name?, _ resolver: Corinth.Resolver) throws -> Service {
    guard let container = try resolver.resolve(ContainerLink.self).container,
      let found: Registered<Service, any Resolver> = container.registered(key),
      let service = container.instance(of: found, or: { found.factory(container) })
        ?? container.resolveMisfit(found, { factory in factory(container) })
    else { throw NotServed() }
    return service
  }
}

/// Whether a resolve asks for the graph of the moment.
@inlinable func isGraph(_ service: any Any.Type, _ arguments: any Any.Type) -> Bool {
  service == GraphIdentifier.self && arguments == (any Resolver).self
}

private struct NotServed: Error, CustomStringConvertible {
  let description =
    "The service has been removed, or is not of the type that it is forwarded to, or its container of SwinjectDialect is gone."
}
