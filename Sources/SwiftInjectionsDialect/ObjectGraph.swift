// SPDX-License-Identifier: MIT

public import Corinth
internal import DialectSupport

/// The graph of objects that the calling thread makes: one access from outside of all definitions, and all accesses
/// nested in it.
@usableFromInline
enum ObjectGraph {
  /// Behind all assemblies, so that a graph crosses them.
  @usableFromInline static let container = Container()
}

extension ObjectGraph {
  /// The key of a definition that names none. Describing a type takes longer than all else, so the container keeps it.
  @inlinable
  static func key<T>(of type: T.Type) -> Name {
    orStop {
      try container.resolveOrBuild(DefaultKey<T>.self) {
        DefaultKey(name: Name(String(describing: type)))
      }.name
    }
  }

  /// The object that a graph has under a key. `nil` if it has another type.
  @inlinable
  static func object<T>(_ key: Name, in graph: Resolution?) -> T? {
    // Not in one step: a missing object would become an optional that is there.
    guard let found = graph?.published(named: key) else { return nil }
    return found as? T
  }

  /// The result of the core, whose errors end the program: no function of this library throws.
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
