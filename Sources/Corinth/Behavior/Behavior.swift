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
/// Every method has an implementation that does nothing. Conform in an extension: in an extension,
/// the compiler warns of a method whose name or parameters nearly match a requirement.
///
/// From the moment a behavior is added to a container, the behavior receives the events of the
/// container's registrations, whichever child or scope resolves them. Several behaviors are called
/// in the order of their addition.
///
/// ## Concurrency
/// Called on the thread of the event, on several threads at once, with no lock held. A behavior may
/// use the container. Operations of a behavior cause no events, not for other behaviors either.
public protocol Behavior: Sendable {
  /// The reported events; ``BehaviorEvents/all`` when left out. Read once, by
  /// ``Container/add(_:)``.
  ///
  /// As long as a behavior receives ``BehaviorEvents/resolution``, resolves of the container's
  /// registrations take the slow path.
  var events: BehaviorEvents { get }

  /// Whether ``didBuild(_:in:container:)`` receives the time of a construction; `true` when left
  /// out. Read once, by ``Container/add(_:)``.
  ///
  /// With `false` the duration is `.zero`. Constructions read the clock twice as
  /// long as some behavior of the container measures times.
  var measuresTimes: Bool { get }

  /// A registration was made, also by forwarding or to override an earlier registration. The
  /// modifiers follow. The name is the text of the registration's name, or `nil`.
  func didRegister<Product>(
    type: Product.Type, to container: Container, as registration: Registration<Product>,
    with name: String?)

  /// A resolve, or a nested resolve, is about to return an instance. The container is the container
  /// of the key's registration.
  func didResolve(_ key: RegistrationKey, as instance: Any, in container: Container)

  /// A resolve, or a nested resolve, has failed. Several nested failures are all reported, the
  /// innermost first. The container is the container of the key's registration, or a searched
  /// container if the key is registered nowhere.
  func didFail(_ key: RegistrationKey, with error: ResolutionError, in container: Container)

  /// A factory has made an instance, and decorators have wrapped the instance. The duration covers
  /// both, with the time of dependencies; the container is the container of the key's registration.
  ///
  /// Not called for an input of a request scope, whose value existed before, nor for a construction
  /// that began before the behavior was added.
  func didBuild(_ key: RegistrationKey, in duration: Duration, container: Container)

  /// The disposers of an instance have run, or the disposers of all instances of a disposed
  /// registration. For a registration in a child of the scope with the instance, the behaviors of
  /// the scope are called: the child may end first.
  func didDispose(_ key: RegistrationKey)

  /// The container, or a scope below, has left instances undisposed; see
  /// ``Container/onUndisposed``. May be called in a deinit.
  func didLeaveUndisposed(_ report: UndisposedReport)
}

/// The events that a ``Behavior`` receives.
///
/// ## Concurrency
/// A value, safe to use from any thread.
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
  /// All events.
  public static let all: BehaviorEvents = [
    .registration, .resolution, .failure, .construction, .disposal,
  ]
}

extension Behavior {
  public var events: BehaviorEvents { .all }

  public var measuresTimes: Bool { true }

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

  public func didLeaveUndisposed(_ report: UndisposedReport) {}
}

/// A behavior of the module that receives constructions directly: without a container, with the
/// registration, whose key is read only for a text.
protocol DirectBehavior: Behavior {
  func didBuild(_ record: RegistrationRecord, _ nanoseconds: UInt64)
}
