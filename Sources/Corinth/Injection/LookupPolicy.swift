// SPDX-License-Identifier: MIT

/// Finds the container in which an injected property resolves.
///
/// ```swift
/// Container.lookupPolicy = .current(else: .container(application))
/// Container.lookupPolicy = LookupPolicy { enclosing in
///   enclosing is any PaymentService ? paymentContainer : applicationContainer
/// }
/// ```
///
/// ## Concurrency
/// A policy is asked from any thread, with no lock held.
public struct LookupPolicy: Sendable {
  private indirect enum Source: Sendable {
    case container(Container)
    case enclosing(else: LookupPolicy?)
    case current(else: LookupPolicy?)
    /// The owner keeps the object with the property, which must not keep the owner in turn: a core
    /// does not keep its container.
    case owner(ContainerCore)
    case function(@Sendable (AnyObject?) -> Container?)
  }

  private let source: Source

  private init(_ source: Source) {
    self.source = source
  }

  /// A policy of your own.
  ///
  /// - Parameter find: finds the container; `nil` if no container is found, which is an error of
  ///   the property. The function gets the object with the property; `nil` for a property of a
  ///   value, a variable or a parameter.
  public init(_ find: @escaping @Sendable (_ enclosing: AnyObject?) -> Container?) {
    source = .function(find)
  }

  /// A single container for all properties. The policy keeps the container alive, and hides a fork
  /// that a test makes current: ``current(else:)`` finds the fork.
  public static func container(_ container: Container) -> Self { Self(.container(container)) }

  /// The container of the enclosing object, if the object is ``Containerized``.
  ///
  /// - Parameter other: the policy for all remaining objects, and for properties without an object.
  public static func enclosing(else other: LookupPolicy? = nil) -> Self {
    Self(.enclosing(else: other))
  }

  /// The container of the innermost `withCurrent` in the task.
  public static var current: Self { Self(.current(else: nil)) }

  /// The container of the innermost `withCurrent` in the task, so that the fork of a test is found,
  /// or else the container of another policy.
  ///
  /// - Parameter other: asked where no container is current.
  public static func current(else other: LookupPolicy) -> Self { Self(.current(else: other)) }

  func container(for enclosing: AnyObject?) -> Container? {
    switch source {
    case .container(let container): container
    case .enclosing(let other):
      if let containerized = enclosing as? any Containerized {
        containerized.container
      } else {
        other?.container(for: enclosing)
      }
    case .current(let other): Container.current ?? other?.container(for: enclosing)
    case .owner(let owner): owner.container
    case .function(let find): find(enclosing)
    }
  }

  /// The policy with everything that can be determined at once: a property stores the captured
  /// policy from its initialization on.
  ///
  /// The present current container, if any. While an ancestor or a base of the current container
  /// builds an instance to keep, the captured container is the building ancestor or base instead,
  /// held weakly: the instance outlives a request scope, or the fork of a test. A container that
  /// the factory itself has made current with `withCurrent` stays.
  var captured: LookupPolicy {
    switch source {
    case .container, .owner, .function: return self
    case .enclosing(let other): return .enclosing(else: other?.captured)
    case .current(let other):
      guard let current = Container.current else { return other?.captured ?? self }
      guard let owner = ResolutionContext.owner(around: current.registry) else {
        return .container(current)
      }
      return Self(.owner(owner))
    }
  }
}

extension LookupPolicy {
  /// The part of the policy that a property captures; `nil` if the policy can name no container
  /// without a current container yet. The property then asks the policy that is set at the first
  /// access.
  var capturedOrNone: LookupPolicy? {
    let captured = captured
    return captured.namesContainer ? captured : nil
  }

  /// Whether the policy finds a container without a current container, and for an object without a
  /// container. A function of the user may.
  private var namesContainer: Bool {
    switch source {
    case .container, .owner, .function: true
    case .enclosing(let other), .current(let other): other?.namesContainer ?? false
    }
  }
}

/// An object with a container, in which the object's injected properties are resolved.
///
/// ```swift
/// final class Screen: Containerized {
///   let container: Container
///   @Injected var mailer: any Mailer
///   init(container: Container) { self.container = container }
/// }
/// ```
///
/// ## Concurrency
/// ``container`` is read by every thread that uses a property for the first time: give a constant,
/// or protect the state.
public protocol Containerized {
  /// The container. Read on the thread that uses the property.
  var container: Container { get }
}

extension Container {
  /// The policy of injected properties without a given policy: the enclosing object's container, or
  /// else the task-local container.
  ///
  /// For the whole process. Set the policy once, before the first objects with injected properties
  /// are made. A property made earlier asks the policy at the first access, unless a container was
  /// current when the property was made.
  ///
  /// Reading and setting are lock-free.
  public static var lookupPolicy: LookupPolicy {
    get { sharedPolicy.load()?.value ?? defaultPolicy }
    set { sharedPolicy.store(Shared(newValue)) }
  }

  private static let defaultPolicy = LookupPolicy.enclosing(else: .current)
  private static let sharedPolicy = ReplaceableReference<Shared<LookupPolicy>>()
}
