// SPDX-License-Identifier: MIT

public import Corinth

/// A factory of objects, which its subclasses define as computed properties.
///
/// ```swift
/// final class Office: Assembly {
///   var desk: Desk {
///     return define() { (definition) in
///       let desk = definition *~> Desk()
///       desk.lamp = self.lamp
///       return desk
///     }
///   }
/// }
/// ```
///
/// Safe to use from any thread; each thread makes graphs of its own.
open class Assembly {
  /// Has the singletons, each under its key, and their locks.
  @usableFromInline let singletons = Container()

  /// An assembly of its own, with singletons of its own.
  public required init() {}

  /// The one assembly of this class, made when it is first asked for.
  @inlinable
  public static func instance() -> Self {
    ObjectGraph.orStop {
      try ObjectGraph.container.resolveOrBuild(Self.self) { Self() }
    }
  }

  /// The object of the current graph whose key is the name of its type; `nil` outside of a graph.
  @inlinable
  public func existingObjectByMatchingType<T>() -> T? {
    guard let graph = ObjectGraph.container.ownResolution else { return nil }
    return ObjectGraph.object(ObjectGraph.key(of: T.self), in: graph)
  }

  /// The object of the current graph that has a key; `nil` outside of a graph.
  @inlinable
  public func existingObject<T>(withKey key: String) -> T? {
    guard let graph = ObjectGraph.container.ownResolution else { return nil }
    return ObjectGraph.object(Name(key), in: graph)
  }
}
