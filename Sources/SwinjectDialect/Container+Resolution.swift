// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport

extension Container: _Resolver {
  /// Resolves a service whose factory takes what the invoker passes to it: for extensions.
  ///
  /// - Parameters:
  ///   - name: the name that it is registered under.
  ///   - option: the option that it is registered under.
  ///   - invoker: calls the factory that it gets.
  /// - Returns: the service; `nil` if it is not registered, which is printed if the environment has
  ///   `SWINJECT_LOGGING_ENABLED` as `1`.
  public func _resolve<Service, Arguments>(
    name: String?, option: (any ServiceKeyOption)? = nil,
    invoker: @escaping ((Arguments) -> Any) -> Any
  ) -> Service? {
    if Service.self == GraphIdentifier.self, Arguments.self == (any Resolver).self, name == nil,
      option == nil
    {
      return Run.current(of: self)?.sharedGraph as? Service
    }
    let key = Name.of(name, option)
    var service: Service?
    if let found: Registered<Service, Arguments> = registered(key) {
      service = resolve(found, invoker)
    } else if let resolve: () -> Service? = resolutionOfCorinth(key, Arguments.self) {
      service = resolve()
    } else if let wrapper = Service.self as? any InstanceWrapper.Type {
      service = wrapper.wrap(in: self, key, invoker) as? Service
    }
    if service == nil { logFailure(Service.self, Arguments.self, name, option) }
    return service
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
      return { self.resolve(found, invoker) }
    }
    return resolutionOfCorinth(name, Arguments.self)
  }

  private func registered<Service, Arguments>(_ name: Name?) -> Registered<Service, Arguments>? {
    orEndProgram { try core.resolveIfRegisteredItself(Registered.self, name: name) }
  }

  private func resolve<Service, Arguments>(
    _ found: Registered<Service, Arguments>, _ invoker: @escaping ((Arguments) -> Any) -> Any
  ) -> Service? {
    let kept = found.entry.kept(in: self)
    if let settled = kept.settled, let service = settled as? Service { return service }
    return Run.nested(in: self) { run in
      let request = Request(container: self, found: found, kept: kept, run: run, invoker: invoker)
      let lock = kept.lock(in: run)
      if let instance = kept.settled(in: run, lock), let service = instance as? Service {
        return service
      }
      guard let lock else { return request.build() }
      do {
        let made = try lock.withOpenableLock { open in request.served ?? request.build(open) }
        if let made { return made }
      } catch {
        // The caller, or a thread that waits for it, is building the instance. Other errors are no cycle.
        guard case ResolutionError.circularDependencyDetected = error else { endProgram(error) }
      }
      // Found if its factory has returned, and its completions are waiting for this one. Otherwise it is made again: a
      // factory that needs itself and ends by itself is served, and one that does not ends at the limit of nesting.
      return request.served ?? request.build()
    }
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
      let service = container.resolve(found, { $0(container) })
    else { throw NotServed() }
    return service
  }
}

private struct NotServed: Error, CustomStringConvertible {
  var description: String {
    "The service has been removed, or is not of the type that it is forwarded to, or its container of SwinjectDialect is gone."
  }
}

/// One resolve of a service whose instance may have to be made.
private struct Request<Service, Arguments> {
  let container: Container
  let found: Registered<Service, Arguments>
  let kept: KeptInstance
  let run: Run
  let invoker: ((Arguments) -> Any) -> Any

  /// The instance, if there is one of the type.
  var served: Service? {
    guard let instance = kept.instance(in: run) else { return nil }
    return instance as? Service
  }

  /// Makes the instance, unless its factory does so in a resolve of its own.
  ///
  /// - Parameter open: has those get the instance whose wait for its completions would never end.
  func build(_ open: () -> Void = {}) -> Service? {
    let instance = invoker(found.factory)
    if let served { return served }
    kept.store(instance, in: run)
    guard let service = instance as? Service else { return nil }
    let completions = found.entry.settings.load().completions
    if !completions.isEmpty {
      open()
      for completion in completions { completion(container, service) }
    }
    return service
  }
}
