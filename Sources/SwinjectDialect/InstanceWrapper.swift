// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport

/// A type that is resolved by the registration of the type which it wraps.
protocol InstanceWrapper {
  /// - Returns: `nil` if the wrapped type is not registered, and that cannot be said by the wrapper.
  static func wrap<Arguments>(
    in container: Container, _ name: Name?, _ invoker: @escaping ((Arguments) -> Any) -> Any
  ) -> Any?
}

extension Optional: InstanceWrapper {
  static func wrap<Arguments>(
    in container: Container, _ name: Name?, _ invoker: @escaping ((Arguments) -> Any) -> Any
  ) -> Any? {
    let resolve: (() -> Wrapped?)? = container.resolution(name, invoker)
    return .some(resolve?() as Any)
  }
}

/// A service that is resolved at its first use.
///
/// ```swift
/// container.register(Editor.self) { r in Editor(printer: r.resolve(Lazy<Printer>.self)!) }
/// ```
///
/// It is resolved in the graph that this was made in, or else in that of the moment.
public final class Lazy<Service>: InstanceWrapper {
  private let container: Container
  /// `nil` if it was made outside of all graphs.
  private let graph: GraphIdentifier?
  private let resolve: () -> Service?
  private let value = PropertyValue<Service, Void>(())

  private init(
    _ container: Container, _ graph: GraphIdentifier?, _ resolve: @escaping () -> Service?
  ) {
    self.container = container
    self.graph = graph
    self.resolve = resolve
  }

  /// The service, resolved by the first access.
  public var instance: Service {
    if let value = value.value { return value }
    do {
      return try value.resolve(in: container.core, building: makeInstance)
    } catch {
      // The instance is completed with this one.
      guard case ResolutionError.circularDependencyDetected = error else { endProgram(error) }
      return makeInstance()
    }
  }

  private func makeInstance() -> Service {
    let instance =
      if let graph {
        container.withObjectGraph(graph, closure: { _ in resolve() })
      } else {
        resolve()
      }
    guard let instance else {
      preconditionFailure("Lazy.instance: the instance must be a \(Service.self)")
    }
    return instance
  }

  static func wrap<Arguments>(
    in container: Container, _ name: Name?, _ invoker: @escaping ((Arguments) -> Any) -> Any
  ) -> Any? {
    guard let resolve: () -> Service? = container.resolution(name, invoker) else { return nil }
    return Lazy(container, container.currentGraph, resolve)
  }
}

/// A service that is resolved at each use.
///
/// ```swift
/// container.register(Desk.self) { r in Desk(pens: r.resolve(Provider<Pen>.self)!) }
/// ```
public final class Provider<Service>: InstanceWrapper {
  private let resolve: () -> Service?

  private init(_ resolve: @escaping () -> Service?) {
    self.resolve = resolve
  }

  /// The service, resolved by each access: in the graph of the moment, or else in a new one.
  public var instance: Service {
    guard let instance = resolve() else {
      preconditionFailure("Provider.instance: the instance must be a \(Service.self)")
    }
    return instance
  }

  static func wrap<Arguments>(
    in container: Container, _ name: Name?, _ invoker: @escaping ((Arguments) -> Any) -> Any
  ) -> Any? {
    guard let resolve: () -> Service? = container.resolution(name, invoker) else { return nil }
    return Provider(resolve)
  }
}
