// SPDX-License-Identifier: MIT

public import Corinth
internal import DialectSupport

/// The graph of objects that the calling thread makes: an access from outside of all definitions,
/// and all nested accesses.
@usableFromInline
enum ObjectGraph {
  /// The container behind all assemblies, so that a graph crosses assemblies.
  @usableFromInline static let container = Container()
}

extension ObjectGraph {
  /// The key of a definition without a key. Describing a type takes longer than all else, so the
  /// container keeps the description.
  @inlinable
  static func key<T>(of type: T.Type) -> Name {
    orStop {
      try container.resolveOrBuild(DefaultKey<T>.self) { _ in
        DefaultKey(name: Name(String(describing: T.self)))
      }.name
    }
  }

  /// The object of a graph under a key. `nil` if the object is of a different type.
  @inlinable
  static func object<T>(_ key: Name, in graph: Resolution?) -> T? {
    // Two steps are needed: a cast would make a present optional of a missing object.
    guard let found = graph?.published(named: key) else { return nil }
    return found as? T
  }

  /// The result of a call of the core. An error ends the program: no function of this library
  /// throws.
  @inlinable @inline(__always)
  static func orStop<Result>(_ body: () throws -> Result) -> Result {
    do { return try body() } catch { stop(error) }
  }

  @usableFromInline
  static func stop(_ error: any Error) -> Never {
    fatalError(text(of: error))
  }
}

/// A type's own name as a key.
@usableFromInline
struct DefaultKey<T>: Sendable {
  @usableFromInline let name: Name

  @usableFromInline
  init(name: Name) {
    self.name = name
  }
}
