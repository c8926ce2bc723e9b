// SPDX-License-Identifier: MIT

public import Corinth
public import DialectSupport
public import Synchronization

/// A property that is resolved at every read, in the object's container if the object is
/// ``Containerized``, otherwise in ``Container/main``.
///
/// ```swift
/// @Inject var logger: Logger
/// @Inject("slack") var slack: Logger
/// ```
///
/// The program ends if nothing is bound to the type and the id. Works in classes, in structs and
/// for local variables.
///
/// ## Concurrency
/// Safe to use from any thread: every read resolves.
@propertyWrapper
public final class Inject<Service>: Sendable {
  @usableFromInline let name: Name?
  /// Whether the object is known not to be ``Containerized``: the cast takes long.
  @usableFromInline let isInMain = Atomic(false)

  /// A property that is resolved by type and, if given, an id.
  public init(id: AnyHashable? = nil) { name = id.map { Name($0) } }

  /// A property that is resolved by type and an id.
  public convenience init(_ id: AnyHashable?) { self.init(id: id) }

  /// A property that is resolved by type and an id.
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
    instance[keyPath: storage].resolve(for: instance)
  }

  @inlinable @inline(__always)
  func resolve(for instance: some AnyObject) -> Service {
    if isInMain.load(ordering: .relaxed) { return resolve(in: .main) }
    if let instance = instance as? any Containerized { return resolve(in: instance.container) }
    isInMain.store(true, ordering: .relaxed)
    return resolve(in: .main)
  }

  @inlinable
  func resolve(in container: Container) -> Service {
    if let found = container.find(Service.self, name) { return found }
    endProgram(FusionError.notRegistered(type: Service.self, id: name?.base))
  }
}
