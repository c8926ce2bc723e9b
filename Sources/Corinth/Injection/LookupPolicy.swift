// SPDX-License-Identifier: MIT

/// Finds the container that an injected property resolves in.
///
/// ```swift
/// struct ModulePolicy: LookupPolicy {
///   func container(for enclosing: AnyObject?) -> Container? {
///     enclosing is any PaymentService ? paymentContainer : applicationContainer
///   }
/// }
/// Container.lookupPolicy = ModulePolicy()
/// ```
///
/// ## Concurrency
/// It is asked from any thread, with no lock held.
public protocol LookupPolicy: Sendable {
  /// The container; `nil` if there is none, which is an error of the property.
  ///
  /// - Parameter enclosing: the object that has the property; `nil` for a property of a value, a variable or a parameter.
  func container(for enclosing: AnyObject?) -> Container?

  /// The policy with everything that it can determine at once: a property stores this from the moment that it is
  /// made.
  var captured: any LookupPolicy { get }
}

extension LookupPolicy {
  /// The policy itself.
  public var captured: any LookupPolicy { self }
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

/// One container for all properties: ``LookupPolicy/container(_:)``.
public struct FixedLookup: LookupPolicy {
  private let fixed: Container

  init(_ container: Container) {
    fixed = container
  }

  public func container(for enclosing: AnyObject?) -> Container? { fixed }
}

/// The container of the enclosing object: ``LookupPolicy/enclosing(else:)``.
public struct EnclosingLookup: LookupPolicy {
  private let other: (any LookupPolicy)?

  init(else other: (any LookupPolicy)?) {
    self.other = other
  }

  public func container(for enclosing: AnyObject?) -> Container? {
    if let containerized = enclosing as? any Containerized { return containerized.container }
    return other?.container(for: enclosing)
  }

  public var captured: any LookupPolicy { EnclosingLookup(else: other?.captured) }
}

/// The task-local container: ``LookupPolicy/current``, ``LookupPolicy/current(else:)``.
public struct CurrentLookup: LookupPolicy {
  private let other: (any LookupPolicy)?

  init(else other: (any LookupPolicy)? = nil) {
    self.other = other
  }

  public func container(for enclosing: AnyObject?) -> Container? {
    Container.current ?? other?.container(for: enclosing)
  }

  /// The container that is current now, if there is one. While an ancestor or a base of the current container builds an
  /// instance that it keeps, that ancestor or base instead, held weakly: the instance outlives a request scope, or the fork of
  /// a test. A container that the factory itself has made current with `withCurrent` stays.
  public var captured: any LookupPolicy {
    guard let current = Container.current else { return other?.captured ?? self }
    guard let keeper = ResolutionContext.keeper(around: current.registry)?.container else {
      return FixedLookup(current)
    }
    return KeeperLookup(keeper: keeper)
  }
}

/// A container that keeps the object with the property, and must not be kept by it.
private struct KeeperLookup: LookupPolicy {
  weak let keeper: Container?

  func container(for enclosing: AnyObject?) -> Container? { keeper }
}

extension LookupPolicy where Self == FixedLookup {
  /// One container for all properties. It is kept alive, and hides a fork that a test makes current:
  /// ``LookupPolicy/current(else:)`` finds that.
  public static func container(_ container: Container) -> FixedLookup { FixedLookup(container) }
}

extension LookupPolicy where Self == EnclosingLookup {
  /// The container of the enclosing object, if that is ``Containerized``.
  ///
  /// - Parameter other: asked for all other properties.
  public static func enclosing(else other: (any LookupPolicy)? = nil) -> EnclosingLookup {
    EnclosingLookup(else: other)
  }
}

extension LookupPolicy where Self == CurrentLookup {
  /// The container of the innermost `withCurrent` in the task.
  public static var current: CurrentLookup { CurrentLookup() }

  /// The container of the innermost `withCurrent` in the task, so that the fork of a test is found, or else another one.
  ///
  /// ```swift
  /// Container.lookupPolicy = .current(else: .container(application))
  /// ```
  ///
  /// - Parameter other: asked where no container is current.
  public static func current(else other: any LookupPolicy) -> CurrentLookup {
    CurrentLookup(else: other)
  }
}

extension Container {
  /// The policy of injected properties that are given none: the enclosing object's container, or else the task-local one.
  ///
  /// ```swift
  /// Container.lookupPolicy = .current(else: .container(application))
  /// ```
  ///
  /// For the whole process. Set it once, before the first objects with injected properties are made.
  ///
  /// Reading it is lock-free, and so is setting it.
  public static var lookupPolicy: any LookupPolicy {
    get { sharedPolicy.load()?.policy ?? .enclosing(else: .current) }
    set { sharedPolicy.store(PolicyBox(newValue)) }
  }

  private static let sharedPolicy = ReplaceableReference<PolicyBox>()
}

private final class PolicyBox: Sendable {
  let policy: any LookupPolicy

  init(_ policy: any LookupPolicy) {
    self.policy = policy
  }
}
