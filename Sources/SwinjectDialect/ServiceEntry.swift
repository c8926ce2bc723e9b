// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport
internal import Synchronization

/// A registered service, for the functions chained to the registration.
///
/// ```swift
/// container.register(Parent.self) { _ in Parent() }
///   .initCompleted { r, parent in parent.child = r.resolve(Child.self) }
///   .inObjectScope(.container)
/// ```
///
/// ## Concurrency
/// Other threads may resolve the service while the chained functions change the settings.
public final class ServiceEntry<Service> {
  /// The type of the registration.
  public var serviceType: any Any.Type { Service.self }
  /// The type of the factory's parameter: `Resolver`, or a tuple that begins with a `Resolver`.
  public var argumentsType: any Any.Type { registered.argumentsType }
  let registered: any AnyRegistered

  init(_ registered: any AnyRegistered) { self.registered = registered }

  /// Sets how instances are shared. After the first resolve or reset, the scope only determines
  /// which calls of ``Container/resetObjectScope(_:)-(ObjectScope)`` reset the service.
  @discardableResult public func inObjectScope(_ objectScope: any ObjectScopeProtocol) -> Self {
    registered.entry.settings.update { $0.scope = objectScope }
    return self
  }

  /// Sets how instances are shared. After the first resolve or reset, the scope only determines
  /// which calls of ``Container/resetObjectScope(_:)-(ObjectScope)`` reset the service.
  @discardableResult public func inObjectScope(_ objectScope: ObjectScope) -> Self {
    inObjectScope(objectScope as any ObjectScopeProtocol)
  }

  /// Adds a closure that gets every new instance before the resolve returns, after the closures
  /// added before.
  ///
  /// Services in a cycle inject each other here: the instances can be resolved by then.
  @discardableResult public func initCompleted(
    _ completed: @escaping (any Resolver, Service) -> Void
  ) -> Self {
    let completion = { (resolver: any Resolver, instance: Any) in
      if let instance = instance as? Service { completed(resolver, instance) }
    }
    registered.entry.settings.update { $0.completions.append(completion) }
    registered.entry.hasCompletions.store(true, ordering: .releasing)
    return self
  }

  /// Serves the service under a second type too, with the same instance.
  @discardableResult public func implements<T>(_ type: T.Type, name: String? = nil) -> Self {
    registered.entry.container?.forward(type, name: name, to: self)
    return self
  }

  /// Serves the service under several further types too, with the same instance.
  @discardableResult public func implements<First, Second, each Rest>(
    _ type1: First.Type, _ type2: Second.Type, _ types: repeat (each Rest).Type
  ) -> Self {
    implements(type1).implements(type2)
    for type in repeat each types { implements(type) }
    return self
  }
}

/// The service behind one or more keys.
// SAFETY: constant, or shared through Corinth. The program is responsible for the state that the
// closures use.
@usableFromInline final class Entry: @unchecked Sendable {
  struct Settings {
    var scope: any ObjectScopeProtocol
    var completions: [(any Resolver, Any) -> Void] = []
  }

  let serviceType: any Any.Type
  let settings: SharedValue<Settings>
  /// Whether a look for completions is worthwhile.
  let hasCompletions = Atomic<Bool>(false)
  private let owner: UncountedReference<Container>
  var container: Container? { owner.object }
  let storage = PropertyValue<KeptInstance, Void>(())

  init(of service: any Any.Type, in container: Container) {
    serviceType = service
    settings = SharedValue(Settings(scope: container.defaultObjectScope))
    owner = UncountedReference(container)
  }

  /// The storage of the instance, which the scope makes at the first use.
  func kept(in container: Container) -> KeptInstance {
    if let kept = storage.value { return kept }
    return orEndProgram {
      try storage.resolve(in: container.core) {
        KeptInstance(settings.value.scope, of: serviceType, in: container.core)
      }
    }
  }

  /// Releases the instance. The storage of an entry that was never resolved is made for this: a
  /// storage closure may return a storage with an instance.
  func reset(in container: Container) { kept(in: container).reset() }
}
