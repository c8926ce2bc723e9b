// SPDX-License-Identifier: MIT

public import Corinth
public import DialectSupport
public import Synchronization

/// A property that is resolved each time it is read, in its object's container if that is ``Containerized``, otherwise in
/// ``Container/main``.
///
/// ```swift
/// @Inject var logger: Logger
/// @Inject("slack") var slack: Logger
/// ```
///
/// The program ends if nothing is bound to the type and the id. Works in classes, in structs and for local variables.
@propertyWrapper
public final class Inject<Service>: Sendable {
  @usableFromInline let name: Name?
  /// Whether the object has turned out not to be ``Containerized``: to find that out takes long.
  @usableFromInline let isInMain = Atomic(false)

  /// A property that is resolved by its type and, if given, an id.
  public init(id: AnyHashable? = nil) { name = id.map { Name($0) } }

  /// A property that is resolved by its type and an id.
  public convenience init(_ id: AnyHashable?) { self.init(id: id) }

  /// A property that is resolved by its type and an id.
  public convenience init(identifier: AnyHashable?) { self.init(id: identifier) }

  /// The service, resolved in ``Container/main``.
  @inlinable
  public var wrappedValue: Service { resolve(in: .main) }

  /// The service, resolved in the object's container.
  @inlinable @inline(__always)
  public static subscript<Enclosing: AnyObject>(
    _enclosingInstance instance: Enclosing, wrapped _: KeyPath<Enclosing, Service>,
    storage storage: KeyPath<Enclosing, Inject>
  ) -> Service {
    let wrapper = instance[keyPath: storage]
    return wrapper.resolve(in: wrapper.container(of: instance))
  }

  @inlinable @inline(__always)
  func container(of instance: some AnyObject) -> Container {
    if isInMain.load(ordering: .relaxed) { return .main }
    if let instance = instance as? any Containerized { return instance.container }
    isInMain.store(true, ordering: .relaxed)
    return .main
  }

  @inlinable @inline(__always)
  func resolve(in container: Container) -> Service {
    if let name, let found = container.find(Service.self, named: name) { return found }
    if name == nil, let found = container.find(Service.self) { return found }
    endProgram(FusionError.notRegistered(type: Service.self, id: name?.base))
  }
}
