// SPDX-License-Identifier: MIT

/// Finds the container in which injected properties resolve.
///
/// ## Concurrency
/// A policy is asked on any thread, by several threads at the same time, with no lock held.
public protocol ContainerLookupPolicy: AnyObject {
  /// Returns the container for an object with injected properties. The program ends for an object
  /// without a container.
  func container<EnclosingType>(
    for instance: EnclosingType, file: StaticString, function: String, line: UInt
  ) -> Container?
}

extension ContainerLookupPolicy where Self == SingletonContainer {
  /// A policy with a single container for all objects.
  public static func singleton(_ container: Container) -> any ContainerLookupPolicy {
    SingletonContainer(container)
  }
}

extension ContainerLookupPolicy where Self == EnclosingTypeContainer {
  /// A policy that finds the container of a ``Containerable`` object, and a default container for
  /// all remaining objects. The original library ignores the default.
  public static func enclosingType(
    default container: Container? = nil
  ) -> any ContainerLookupPolicy { EnclosingTypeContainer(default: container) }
}

/// A policy with a single container for all objects.
public class SingletonContainer: ContainerLookupPolicy {
  private let container: Container

  /// Makes a policy that keeps the container alive.
  public init(_ container: Container) {
    self.container = container
  }

  /// Returns the policy's container, whatever the object.
  public func container<EnclosingType>(
    for instance: EnclosingType, file: StaticString, function: String, line: UInt
  ) -> Container? { container }
}

/// A policy that finds the container of a ``Containerable`` object.
public class EnclosingTypeContainer: ContainerLookupPolicy {
  private let defaultContainer: Container?

  /// Makes a policy.
  ///
  /// - Parameter container: the container for objects that are not ``Containerable``; if `nil`, an
  ///   injected property of such an object ends the program.
  public init(default container: Container? = nil) {
    defaultContainer = container
  }

  /// Returns the container of a ``Containerable`` object; otherwise the default container.
  public func container<EnclosingType>(
    for instance: EnclosingType, file: StaticString, function: String, line: UInt
  ) -> Container? { (instance as? any Containerable)?.container ?? defaultContainer }
}

/// An object with a container of its own, which ``EnclosingTypeContainer`` finds.
public protocol Containerable {
  /// The container in which the object's injected properties resolve.
  var container: Container! { get }
}
