// SPDX-License-Identifier: MIT

public import Corinth
public import DialectSupport

extension Container: _Resolver {
  /// Resolves a service whose factory takes what the invoker passes to it: for extensions.
  ///
  /// - Parameters:
  ///   - name: the name that it is registered under.
  ///   - option: the option that it is registered under.
  ///   - invoker: calls the factory that it gets.
  /// - Returns: the service; `nil` if it is not registered, which is printed if the environment has
  ///   `SWINJECT_LOGGING_ENABLED` as `1`.
  @inlinable public func _resolve<Service, Arguments>(
    name: String?, option: (any ServiceKeyOption)? = nil,
    invoker: @escaping ((Arguments) -> Any) -> Any
  ) -> Service? {
    let key = Name.of(name, option)
    if Service.self == GraphIdentifier.self, Arguments.self == (any Resolver).self, key == nil {
      return currentGraph as? Service
    }
    if let found: Registered<Service, Arguments> = registered(key) {
      return resolve(found, name, option, invoker)
    }
    if let service: Service = resolveUnregistered(key, invoker) { return service }
    logFailure(Service.self, Arguments.self, name, option)
    return nil
  }

  /// The graph that the calling thread is in.
  @usableFromInline var currentGraph: GraphIdentifier? { Run.current(of: self)?.sharedGraph }

  /// Resolves what has no registration through this interface.
  @usableFromInline func resolveUnregistered<Service, Arguments>(
    _ name: Name?, _ invoker: @escaping ((Arguments) -> Any) -> Any
  ) -> Service? {
    if let resolve: () -> Service? = resolutionOfCorinth(name, Arguments.self) { return resolve() }
    let wrapper = Service.self as? any InstanceWrapper.Type
    return wrapper?.wrap(in: self, name, invoker) as? Service
  }

  /// Runs a closure in a graph: what it resolves shares the objects of the graph that are still in use.
  ///
  /// - Parameters:
  ///   - identifier: what a factory has got as its `GraphIdentifier`.
  ///   - closure: gets this container.
  public func withObjectGraph<T>(
    _ identifier: GraphIdentifier, closure: (Container) throws -> T
  ) rethrows -> T {
    try Run.resuming(identifier, in: self) { try closure(self) }
  }

  /// How a key is resolved, here or in a parent; `nil` if nothing is registered. It keeps the container alive.
  func resolution<Service, Arguments>(
    _ name: Name?, _ invoker: @escaping ((Arguments) -> Any) -> Any
  ) -> (() -> Service?)? {
    if let found: Registered<Service, Arguments> = registered(name) {
      return { self.resolve(found, nil, nil, invoker) }
    }
    return resolutionOfCorinth(name, Arguments.self)
  }

  @inlinable @inline(__always) func registered<Service, Arguments>(_ name: Name?) -> Registered<
    Service, Arguments
  >? {
    orEndProgram { try core.resolveIfRegisteredItself(Registered.self, name: name) }
  }

  @inlinable func resolve<Service, Arguments>(
    _ found: Registered<Service, Arguments>, _ name: String?, _ option: (any ServiceKeyOption)?,
    _ invoker: ((Arguments) -> Any) -> Any
  ) -> Service? {
    if let settled = found.entry.settled, let service = settled as? Service { return service }
    let instance = found.entry.instance(
      in: self, if: { $0 is Service }, or: { invoker(found.factory) })
    // Not in one step: a missing instance would become an optional that is there.
    if let instance { return instance as? Service }
    logFailure(Service.self, Arguments.self, name, option)
    return nil
  }

  // MARK: - Beside Corinth's own interface

  /// How a service is resolved that a module has registered with Corinth's own interface; `nil` if there is none.
  private func resolutionOfCorinth<Service, Arguments>(
    _ name: Name?, _ arguments: Arguments.Type
  ) -> (() -> Service?)? {
    guard arguments == (any Resolver).self, core.contains(Service.self, name: name) else {
      return nil
    }
    return {
      do { return try self.core.resolveIfRegisteredItself(Service.self, name: name) } catch {
        if (error as? ResolutionError)?.underlyingError is NotServed { return nil }
        endProgram(error)
      }
    }
  }

  /// Serves a resolve through Corinth's own interface.
  static func serve<Service>(_ name: String?, _ resolver: Corinth.Resolver) throws -> Service {
    guard let container = try resolver.resolve(ContainerLink.self).container else {
      throw NotServed()
    }
    guard let found: Registered<Service, any Resolver> = container.registered(.of(name, nil)),
      let service = container.resolve(found, name, nil, { $0(container) })
    else { throw NotServed() }
    return service
  }
}

private struct NotServed: Error, CustomStringConvertible {
  var description: String {
    "The service has been removed, or is not of the type that it is forwarded to, or its container of SwinjectDialect is gone."
  }
}
