// SPDX-License-Identifier: MIT

public import Corinth
internal import DialectSupport

/// Holds the factories of services, and resolves services by calling the factories.
///
/// ```swift
/// let container = Container()
/// container.register(Animal.self) { _ in Cat(name: "Mimi") }
/// container.register(Person.self) { r in PetOwner(pet: r.resolve(Animal.self)!) }
/// let person = container.resolve(Person.self)!
/// ```
///
/// ## Concurrency
/// Safe to use from any thread, also without ``synchronize()``. The instance of a shared service is
/// made exactly once; no lock is held while a factory runs.
public final class Container: CustomStringConvertible, Sendable {
  @usableFromInline let core: Corinth.Container
  let parent: Container?
  let defaultObjectScope: ObjectScope
  private let behaviors: SharedValue<[any Behavior]>

  /// An empty container.
  ///
  /// - Parameters:
  ///   - parent: resolves services without a registration here. The new container keeps the parent
  ///     alive.
  ///   - defaultObjectScope: the scope of services without a scope.
  ///   - behaviors: the behaviors to tell of every registration.
  ///   - registeringClosure: registers the first services.
  public init(
    parent: Container? = nil, defaultObjectScope: ObjectScope = .graph,
    behaviors: [any Behavior] = [], registeringClosure: (Container) -> Void = { _ in }
  ) {
    core = Corinth.Container(parent: parent?.core)
    self.parent = parent
    self.defaultObjectScope = defaultObjectScope
    self.behaviors = SharedValue(behaviors)
    let link = ContainerLink(to: self)
    orEndProgram { try core.register(value: link) }
    registeringClosure(self)
  }

  /// The container of the registrations, for modules that use Corinth's own interface.
  ///
  /// The returned container does not keep this container alive.
  public var corinth: Corinth.Container { core }

  /// Removes all registrations of this container, with their instances. The behaviors stay.
  public func removeAll() {
    core.removeAll { !($0.key.product is any RemainingRegistration.Type) }
  }

  /// A view of this container: a resolver with separate graphs.
  ///
  /// A container may be used from any thread without a view.
  public func synchronize() -> any Resolver {
    Container(parent: self, defaultObjectScope: defaultObjectScope)
  }

  /// Adds a behavior, which is told of every later registration.
  public func addBehavior(_ behavior: any Behavior) { behaviors.update { $0.append(behavior) } }

  func tellBehaviors<T, Service>(
    of type: T.Type, _ entry: ServiceEntry<Service>, _ name: String?
  ) {
    for behavior in behaviors.value {
      behavior.container(self, didRegisterType: type, toService: entry, withName: name)
    }
  }
}

/// The product of a registration that ``Container/removeAll()`` leaves.
package protocol RemainingRegistration {}

/// A link by which the factories of a container find the container.
final class ContainerLink: RemainingRegistration, Sendable {
  private let reference: UncountedReference<Container>
  var container: Container? { reference.object }

  init(to container: Container) { reference = UncountedReference(container) }
}

/// An observer of registrations.
///
/// ## Concurrency
/// Called on the thread that registers, with no lock held.
public protocol Behavior {
  /// Called for every registration, before the chained functions run.
  ///
  /// - Parameters:
  ///   - container: the container of the registration.
  ///   - type: the type to resolve by.
  ///   - entry: the registered service. The service type of the entry differs from `type` after
  ///     ``Container/forward(_:name:to:)``.
  ///   - name: the name to resolve by.
  func container<Type, Service>(
    _ container: Container, didRegisterType type: Type.Type, toService entry: ServiceEntry<Service>,
    withName name: String?)
}
