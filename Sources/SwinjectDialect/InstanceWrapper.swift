// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport

/// A type that is resolved by the registration of the wrapped type.
protocol InstanceWrapper {
  associatedtype Wrapped
  /// - Parameter resolve: `nil` if the wrapped type is not registered. The initializer fails if the
  ///   wrapper has no value for a missing service.
  init?(_ resolve: (() -> Wrapped?)?, in container: Container)
}

/// Whether a cast of the type to a wrapper is worth trying: a cast that fails takes 1,000
/// instructions.
func mayBeWrapper(_ type: any Any.Type) -> Bool { isOptional(type) || isGenericClass(type) }

extension Optional: InstanceWrapper {
  init?(_ resolve: (() -> Wrapped?)?, in container: Container) { self = resolve?() }
}

/// A service that is resolved at the first use.
///
/// ```swift
/// container.register(Editor.self) { r in Editor(printer: r.resolve(Lazy<Printer>.self)!) }
/// ```
///
/// The service is resolved in the graph in which the `Lazy` was made, or else in the graph of the
/// moment.
///
/// ## Concurrency
/// Any number of threads may read ``instance``: the service is resolved once.
public final class Lazy<Service>: InstanceWrapper {
  private let container: Container
  private let resolve: () -> Service?
  private let value = PropertyValue<Service, Void>(())

  init?(_ resolve: (() -> Service?)?, in container: Container) {
    guard let resolve else { return nil }
    self.container = container
    let graph = Run.currentGraph(of: container)
    self.resolve =
      graph.map { graph in { container.withObjectGraph(graph) { _ in resolve() } } } ?? resolve
  }

  /// The service, resolved by the first access.
  public var instance: Service {
    if let value = value.value { return value }
    // In a cycle, the instance is completed with the instance of this nested read.
    return unlessCircular { try value.resolve(in: container.core, building: makeInstance) }
      ?? makeInstance()
  }

  private func makeInstance() -> Service {
    guard let instance = resolve() else {
      preconditionFailure("Lazy.instance: the instance must be a \(Service.self)")
    }
    return instance
  }
}

/// A service that is resolved at every use.
///
/// ```swift
/// container.register(Desk.self) { r in Desk(pens: r.resolve(Provider<Pen>.self)!) }
/// ```
///
/// ## Concurrency
/// Any number of threads may read ``instance``: every read resolves.
public final class Provider<Service>: InstanceWrapper {
  private let resolve: () -> Service?

  init?(_ resolve: (() -> Service?)?, in container: Container) {
    guard let resolve else { return nil }
    self.resolve = resolve
  }

  /// The service, resolved by every access: in the graph of the moment, or else in a new graph.
  public var instance: Service {
    guard let instance = resolve() else {
      preconditionFailure("Provider.instance: the instance must be a \(Service.self)")
    }
    return instance
  }
}
