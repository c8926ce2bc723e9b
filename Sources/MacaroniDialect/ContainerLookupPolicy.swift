// SPDX-License-Identifier: MIT

/// Finds the container in which injected properties resolve. Asked on any thread, with no lock
/// held.
public protocol ContainerLookupPolicy: AnyObject {
  /// The container for an object with injected properties; `nil` for none.
  func container<EnclosingType>(
    for instance: EnclosingType, file: StaticString, function: String, line: UInt
  ) -> Container?
}

extension ContainerLookupPolicy where Self == SingletonContainer {
  /// A single container for all objects.
  public static func singleton(_ container: Container) -> any ContainerLookupPolicy {
    SingletonContainer(container)
  }
}

extension ContainerLookupPolicy where Self == EnclosingTypeContainer {
  /// The container of the object, if the object is ``Containerable``, or else a default container.
  /// Upstream ignores the default.
  public static func enclosingType(
    default container: Container? = nil
  ) -> any ContainerLookupPolicy { EnclosingTypeContainer(default: container) }
}

/// A single container for all objects.
public class SingletonContainer: ContainerLookupPolicy {
  private let container: Container

  /// The policy of a container, which the policy keeps alive.
  public init(_ container: Container) {
    self.container = container
  }

  /// The container.
  public func container<EnclosingType>(
    for instance: EnclosingType, file: StaticString, function: String, line: UInt
  ) -> Container? { container }
}

/// The container of the object, if the object is ``Containerable``.
public class EnclosingTypeContainer: ContainerLookupPolicy {
  private let defaultContainer: Container?

  /// The policy, with a container for all other objects.
  public init(default container: Container? = nil) {
    defaultContainer = container
  }

  /// The container of the object, or else the default container.
  public func container<EnclosingType>(
    for instance: EnclosingType, file: StaticString, function: String, line: UInt
  ) -> Container? { (instance as? any Containerable)?.container ?? defaultContainer }
}

/// An object with a container, which ``EnclosingTypeContainer`` finds.
public protocol Containerable {
  /// The container.
  var container: Container! { get }
}
