// SPDX-License-Identifier: MIT

/// Receives the events of a container's registrations and their instances.
///
/// ```swift
/// final class Inventory {}
///
/// extension Inventory: Behavior {
///   func didRegister<Product>(
///     type: Product.Type, to container: Container, as registration: Registration<Product>,
///     with name: String?
///   ) {
///     print("\(registration.key) is registered at \(registration.location)")
///   }
/// }
/// container.add(Inventory())
/// ```
///
/// Each method has an implementation that does nothing. Conform in an extension: there the compiler warns of a method whose
/// name or parameters are nearly those of one here.
///
/// From the moment that a behaviour is added to a container, it receives the events of that container's
/// registrations, whichever child or scope of it resolves them. Several are called in the order in which they were
/// added.
///
/// ## Concurrency
/// Called on the thread of the event, on several at once, with no lock held. A behaviour may use the container; it
/// receives no events of its own operations there.
public protocol Behavior: Sendable {
  /// The events that are reported; ``BehaviorEvents/all`` if it is left out. Read once, by ``Container/add(_:)``.
  ///
  /// As long as a behaviour receives ``BehaviorEvents/resolution``, resolves of the container's registrations take
  /// the slow path.
  var events: BehaviorEvents { get }

  /// A registration was made, also by forwarding or to override another one. Its modifiers follow. The name is its text, `nil`
  /// for none.
  func didRegister<Product>(
    type: Product.Type, to container: Container, as registration: Registration<Product>,
    with name: String?)

  /// A resolve, or a nested one, is about to return an instance. The container is that which the key is registered in.
  func didResolve(_ key: RegistrationKey, as instance: Any, in container: Container)

  /// A resolve, or a nested one, has failed. Each of several nested ones is reported, the innermost first.
  /// The container is that which the key is registered in, or one that was searched if it is nowhere.
  func didFail(_ key: RegistrationKey, with error: ResolutionError, in container: Container)

  /// A factory has made an instance, and decorators have wrapped it. The duration is the time of both, that of dependencies
  /// included; the container is that which the key is registered in.
  func didBuild(_ key: RegistrationKey, in duration: Duration, container: Container)

  /// The disposers of an instance have run, or those of all instances of a registration that was disposed of.
  func didDispose(_ key: RegistrationKey)

  /// The container, or a scope below it, has dropped instances that should have been disposed of; see
  /// ``Container/onDroppedUndisposed``. May be called in a deinit.
  func didDropUndisposed(_ report: DropReport)
}

/// The events that a ``Behavior`` receives.
public struct BehaviorEvents: OptionSet, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Registrations are made.
  public static let registration = BehaviorEvents(rawValue: 1)
  /// Resolves return.
  public static let resolution = BehaviorEvents(rawValue: 2)
  /// Resolves fail.
  public static let failure = BehaviorEvents(rawValue: 4)
  /// Factories have run.
  public static let construction = BehaviorEvents(rawValue: 8)
  /// Instances are disposed of, or should have been.
  public static let disposal = BehaviorEvents(rawValue: 16)
  /// All of these.
  public static let all: BehaviorEvents = [
    .registration, .resolution, .failure, .construction, .disposal,
  ]
}

extension Behavior {
  public var events: BehaviorEvents { .all }

  public func didRegister<Product>(
    type: Product.Type, to container: Container, as registration: Registration<Product>,
    with name: String?
  ) {}

  public func didResolve(_ key: RegistrationKey, as instance: Any, in container: Container) {}

  public func didFail(
    _ key: RegistrationKey, with error: ResolutionError, in container: Container
  ) {}

  public func didBuild(_ key: RegistrationKey, in duration: Duration, container: Container) {}

  public func didDispose(_ key: RegistrationKey) {}

  public func didDropUndisposed(_ report: DropReport) {}
}
