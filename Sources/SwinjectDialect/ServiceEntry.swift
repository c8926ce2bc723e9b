// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport

/// A registered service, for the functions that are chained to its registration.
///
/// ```swift
/// container.register(Parent.self) { _ in Parent() }
///   .initCompleted { r, parent in parent.child = r.resolve(Child.self) }
///   .inObjectScope(.container)
/// ```
public final class ServiceEntry<Service> {
  /// The type that it was registered under.
  public let serviceType: any Any.Type
  /// The type of what its factory takes: `Resolver`, or a tuple that begins with it.
  public let argumentsType: any Any.Type
  let entry: Entry

  init<Arguments>(_ factory: Factory<Arguments>, in container: Container) {
    serviceType = Service.self
    argumentsType = Arguments.self
    entry = Entry(of: Service.self, factory, in: container)
  }

  /// Sets how its instances are shared. Without effect once it has been resolved, but on ``Container/resetObjectScope(_:)-(ObjectScope)``.
  @discardableResult public func inObjectScope(_ objectScope: any ObjectScopeProtocol) -> Self {
    entry.settings.update { Entry.Settings(scope: objectScope, completions: $0.completions) }
    return self
  }

  /// Sets how its instances are shared. Without effect once it has been resolved, but on ``Container/resetObjectScope(_:)-(ObjectScope)``.
  @discardableResult public func inObjectScope(_ objectScope: ObjectScope) -> Self {
    inObjectScope(objectScope as any ObjectScopeProtocol)
  }

  /// Adds a closure that gets each new instance before the resolve returns it, after those that were added before.
  ///
  /// Services that need each other inject each other here: their instances can be resolved by then.
  @discardableResult public func initCompleted(
    _ completed: @escaping (any Resolver, Service) -> Void
  ) -> Self {
    entry.settings.update { former in
      let completion = { (resolver: any Resolver, instance: Any) in
        if let instance = instance as? Service { completed(resolver, instance) }
      }
      return Entry.Settings(scope: former.scope, completions: former.completions + [completion])
    }
    return self
  }

  /// Has it resolved by another type too: the same instance.
  @discardableResult public func implements<T>(_ type: T.Type, name: String? = nil) -> ServiceEntry<
    Service
  > {
    entry.container?.forward(type, name: name, to: self)
    return self
  }

  /// Has it resolved by several other types too: the same instance.
  @discardableResult public func implements<First, Second, each Rest>(
    _ type1: First.Type, _ type2: Second.Type, _ types: repeat (each Rest).Type
  ) -> ServiceEntry<Service> {
    implements(type1).implements(type2)
    for type in repeat each types { implements(type) }
    return self
  }
}

/// What the keys of a service lead to.
// SAFETY: constant, or shared through Corinth. The program is responsible for what its closures use.
@usableFromInline final class Entry: @unchecked Sendable {
  final class Settings: @unchecked Sendable {
    let scope: any ObjectScopeProtocol
    let completions: [(any Resolver, Any) -> Void]

    init(
      scope: any ObjectScopeProtocol, completions: [(any Resolver, Any) -> Void] = []
    ) {
      self.scope = scope
      self.completions = completions
    }
  }

  let serviceType: any Any.Type
  let factory: any AnyFactory
  let settings: SharedReference<Settings>
  private let storage = PropertyValue<KeptInstance, Void>(())
  weak let container: Container?

  init(of service: any Any.Type, _ factory: any AnyFactory, in container: Container) {
    serviceType = service
    self.factory = factory
    self.container = container
    settings = SharedReference(Settings(scope: container.defaultObjectScope))
  }

  /// The instance that any caller may have at once.
  @usableFromInline var settled: Any? { storage.value?.settled }

  /// Where its instance is kept: what its scope has made at first use.
  func kept(in container: Container) -> KeptInstance {
    if let kept = storage.value { return kept }
    return orEndProgram {
      try storage.resolve(in: container.core) {
        KeptInstance(settings.load().scope, of: serviceType, in: container.core)
      }
    }
  }

  /// Lets its instance go.
  func reset() { storage.value?.reset() }
}

/// A factory as an entry has it.
protocol AnyFactory {
  var argumentsType: any Any.Type { get }
  /// Registers an entry whose factory this is.
  func register<T>(_ entry: Entry, as type: T.Type, name: String?, in container: Container)
}

struct Factory<Arguments>: AnyFactory {
  let call: (Arguments) -> Any

  var argumentsType: any Any.Type { Arguments.self }

  func register<T>(_ entry: Entry, as type: T.Type, name: String?, in container: Container) {
    container.add(Registered<T, Arguments>(entry: entry, factory: call), name, nil)
  }
}
