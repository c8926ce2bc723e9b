// SPDX-License-Identifier: MIT

public import Corinth
internal import DialectSupport

/// Holds the factories of services, and resolves services with them.
///
/// ```swift
/// let container = Container()
/// container.register(Animal.self) { _ in Cat(name: "Mimi") }
/// container.register(Person.self) { r in PetOwner(pet: r.resolve(Animal.self)!) }
/// let person = container.resolve(Person.self)!
/// ```
///
/// ## Concurrency
/// Safe to use from any thread, also without ``synchronize()``. The instance of a service that is shared is made exactly once;
/// no lock is held while a factory runs.
public final class Container: CustomStringConvertible, Sendable {
  @usableFromInline let core: Corinth.Container
  let parent: Container?
  let defaultObjectScope: ObjectScope
  private let behaviors: SharedValue<[any Behavior]>

  /// An empty container.
  ///
  /// - Parameters:
  ///   - parent: resolves what is not registered here. It is kept alive.
  ///   - defaultObjectScope: the scope of services that name none.
  ///   - behaviors: are told of each registration.
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

  /// The container that has the registrations, for modules that use Corinth's own interface.
  ///
  /// It does not keep this one alive.
  public var corinth: Corinth.Container { core }

  /// Removes all registrations of this container, and their instances. Its behaviors stay.
  public func removeAll() {
    core.removeAll { !($0.key.product is any RemainingRegistration.Type) }
  }

  /// A view of this container: a resolver with graphs of its own.
  ///
  /// A container may be used from any thread without.
  public func synchronize() -> any Resolver {
    Container(parent: self, defaultObjectScope: defaultObjectScope)
  }

  /// Has a behavior told of each registration from now on.
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

/// How the factories of a container find it.
final class ContainerLink: RemainingRegistration, Sendable {
  private let reference: UncountedReference
  var container: Container? { reference.object as? Container }

  init(to container: Container) { reference = UncountedReference(container) }
}

/// Is told of registrations.
public protocol Behavior {
  /// Called for each registration, before the functions that are chained to it.
  ///
  /// - Parameters:
  ///   - container: where it was made.
  ///   - type: the type to resolve by.
  ///   - entry: what is registered. Its own type is another one after ``Container/forward(_:name:to:)``.
  ///   - name: the name to resolve by.
  func container<Type, Service>(
    _ container: Container, didRegisterType type: Type.Type, toService entry: ServiceEntry<Service>,
    withName name: String?)
}
