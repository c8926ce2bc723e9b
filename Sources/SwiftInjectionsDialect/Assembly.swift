// SPDX-License-Identifier: MIT

public import Corinth

/// A factory of objects; subclasses define the objects as computed properties.
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
/// Safe to use from any thread; every thread makes separate graphs.
open class Assembly {
  /// Has the singletons of all keys, and the singletons' locks.
  @usableFromInline let singletons = Container()

  /// A separate assembly, with separate singletons.
  public required init() {}

  /// The shared assembly of this class, made at the first call.
  @inlinable
  public static func instance() -> Self {
    ObjectGraph.orStop {
      try ObjectGraph.container.resolveOrBuild(Self.self) { _ in Self() }
    }
  }

  /// The object of the current graph whose key is the name of the object's type; `nil` outside of a
  /// graph.
  @inlinable
  public func existingObjectByMatchingType<T>() -> T? {
    guard let graph = ObjectGraph.container.ownResolution else { return nil }
    return ObjectGraph.object(ObjectGraph.key(of: T.self), in: graph)
  }

  /// The object of the current graph under a key; `nil` outside of a graph.
  @inlinable
  public func existingObject<T>(withKey key: String) -> T? {
    guard let graph = ObjectGraph.container.ownResolution else { return nil }
    return ObjectGraph.object(Name(key), in: graph)
  }
}
