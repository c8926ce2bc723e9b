// SPDX-License-Identifier: MIT

/// Finds the container that an injected property resolves in.
///
/// ```swift
/// Container.lookupPolicy = .current(else: .container(application))
/// Container.lookupPolicy = LookupPolicy { enclosing in
///   enclosing is any PaymentService ? paymentContainer : applicationContainer
/// }
/// ```
///
/// ## Concurrency
/// It is asked from any thread, with no lock held.
public struct LookupPolicy: Sendable {
  private indirect enum Source: Sendable {
    case container(Container)
    case enclosing(else: LookupPolicy?)
    case current(else: LookupPolicy?)
    /// It keeps the object with the property, and must not be kept by it: a core does not keep its container.
    case owner(ContainerCore)
    case function(@Sendable (AnyObject?) -> Container?)
  }

  private let source: Source

  private init(_ source: Source) {
    self.source = source
  }

  /// A policy of your own.
  ///
  /// - Parameter find: finds the container; `nil` if there is none, which is an error of the property. It gets the object that
  ///   has the property; `nil` for a property of a value, a variable or a parameter.
  public init(_ find: @escaping @Sendable (_ enclosing: AnyObject?) -> Container?) {
    source = .function(find)
  }

  /// One container for all properties. It is kept alive, and hides a fork that a test makes current:
  /// ``current(else:)`` finds that.
  public static func container(_ container: Container) -> Self { Self(.container(container)) }

  /// The container of the enclosing object, if that is ``Containerized``.
  ///
  /// - Parameter other: asked for all other properties.
  public static func enclosing(else other: LookupPolicy? = nil) -> Self {
    Self(.enclosing(else: other))
  }

  /// The container of the innermost `withCurrent` in the task.
  public static var current: Self { Self(.current(else: nil)) }

  /// The container of the innermost `withCurrent` in the task, so that the fork of a test is found, or else another one.
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

  /// The policy with everything that it can determine at once: a property stores this from the moment that it is made.
  ///
  /// The container that is current now, if there is one. While an ancestor or a base of the current container builds an
  /// instance that it keeps, that ancestor or base instead, held weakly: the instance outlives a request scope, or the fork of
  /// a test. A container that the factory itself has made current with `withCurrent` stays.
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
  /// The part of the policy that a property captures; `nil` if the policy can name no container by itself yet. The property
  /// then asks the policy that is set at its first access.
  var capturedOrNone: LookupPolicy? {
    let captured = captured
    return captured.namesContainer ? captured : nil
  }

  /// Whether it finds a container although none is current, and for an object without one. A function of the user may.
  private var namesContainer: Bool {
    switch source {
    case .container, .owner, .function: true
    case .enclosing(let other), .current(let other): other?.namesContainer ?? false
    }
  }
}

/// An object with a container, in which its injected properties are resolved.
///
/// ```swift
/// final class Screen: Containerized {
///   let container: Container
///   @Injected var mailer: any Mailer
///   init(container: Container) { self.container = container }
/// }
/// ```
public protocol Containerized {
  /// The container. Asked on the thread that uses the property.
  var container: Container { get }
}

extension Container {
  /// The policy of injected properties that are given none: the enclosing object's container, or else the task-local one.
  ///
  /// For the whole process. Set it once, before the first objects with injected properties are made. One that is made earlier
  /// asks it at its first access, unless a container was current when it was made.
  ///
  /// Reading it is lock-free, and so is setting it.
  public static var lookupPolicy: LookupPolicy {
    get { sharedPolicy.load()?.value ?? defaultPolicy }
    set { sharedPolicy.store(Shared(newValue)) }
  }

  private static let defaultPolicy = LookupPolicy.enclosing(else: .current)
  private static let sharedPolicy = ReplaceableReference<Shared<LookupPolicy>>()
}
