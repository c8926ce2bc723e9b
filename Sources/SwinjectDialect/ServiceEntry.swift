// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport
internal import Synchronization

/// A registered service, for the functions that are chained to its registration.
///
/// ```swift
/// container.register(Parent.self) { _ in Parent() }
///   .initCompleted { r, parent in parent.child = r.resolve(Child.self) }
///   .inObjectScope(.container)
/// ```
public final class ServiceEntry<Service> {
  /// The type that it was registered under.
  public var serviceType: any Any.Type { Service.self }
  /// The type of what its factory takes: `Resolver`, or a tuple that begins with it.
  public var argumentsType: any Any.Type { registered.argumentsType }
  let registered: any AnyRegistered

  init(_ registered: any AnyRegistered) { self.registered = registered }

  /// Sets how its instances are shared. Without effect once it has been resolved or reset, but on
  /// ``Container/resetObjectScope(_:)-(ObjectScope)``.
  @discardableResult public func inObjectScope(_ objectScope: any ObjectScopeProtocol) -> Self {
    registered.entry.settings.update { $0.scope = objectScope }
    return self
  }

  /// Sets how its instances are shared. Without effect once it has been resolved or reset, but on
  /// ``Container/resetObjectScope(_:)-(ObjectScope)``.
  @discardableResult public func inObjectScope(_ objectScope: ObjectScope) -> Self {
    inObjectScope(objectScope as any ObjectScopeProtocol)
  }

  /// Adds a closure that gets each new instance before the resolve returns it, after those that were added before.
  ///
  /// Services that need each other inject each other here: their instances can be resolved by then.
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

  /// Has it resolved by another type too: the same instance.
  @discardableResult public func implements<T>(_ type: T.Type, name: String? = nil) -> Self {
    registered.entry.container?.forward(type, name: name, to: self)
    return self
  }

  /// Has it resolved by several other types too: the same instance.
  @discardableResult public func implements<First, Second, each Rest>(
    _ type1: First.Type, _ type2: Second.Type, _ types: repeat (each Rest).Type
  ) -> Self {
    implements(type1).implements(type2)
    for type in repeat each types { implements(type) }
    return self
  }
}

/// What the keys of a service lead to.
// SAFETY: constant, or shared through Corinth. The program is responsible for what its closures use.
@usableFromInline final class Entry: @unchecked Sendable {
  struct Settings {
    var scope: any ObjectScopeProtocol
    var completions: [(any Resolver, Any) -> Void] = []
  }

  let serviceType: any Any.Type
  let settings: SharedValue<Settings>
  /// Whether it is worth to look for them.
  let hasCompletions = Atomic<Bool>(false)
  private let owner: UncountedReference
  var container: Container? { owner.object as? Container }
  let storage = PropertyValue<KeptInstance, Void>(())

  init(of service: any Any.Type, in container: Container) {
    serviceType = service
    settings = SharedValue(Settings(scope: container.defaultObjectScope))
    owner = UncountedReference(container)
  }

  /// Where its instance is kept: what its scope has made at first use.
  func kept(in container: Container) -> KeptInstance {
    if let kept = storage.value { return kept }
    return orEndProgram {
      try storage.resolve(in: container.core) {
        KeptInstance(settings.value.scope, of: serviceType, in: container.core)
      }
    }
  }

  /// Lets its instance go. The storage of one that was never resolved is made: it may be a closure's, and have an instance.
  func reset(in container: Container) { kept(in: container).reset() }
}
