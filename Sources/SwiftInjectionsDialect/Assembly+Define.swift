// SPDX-License-Identifier: MIT

public import Corinth

extension Assembly {
  /// Defines an object of every graph, under the name of its type.
  @inlinable
  public func define<T>(_ injectBlock: (_ definition: Definition) -> T) -> T {
    defined(ObjectGraph.key(of: T.self), .ObjectGraph, injectBlock)
  }

  /// Defines an object of every graph, under a key.
  @inlinable
  public func define<T>(
    withKey key: String, _ injectBlock: (_ definition: Definition) -> T
  ) -> T {
    defined(Name(key), .ObjectGraph, injectBlock)
  }

  /// Defines an object of a scope, under the name of its type.
  @inlinable
  public func define<T>(
    withScope scope: Scope, _ injectBlock: (_ definition: Definition) -> T
  ) -> T {
    defined(ObjectGraph.key(of: T.self), scope, injectBlock)
  }

  /// Defines an object of a scope, under a key.
  @inlinable
  public func define<T>(
    withKey key: String, scope: Scope, _ injectBlock: (_ definition: Definition) -> T
  ) -> T {
    defined(Name(key), scope, injectBlock)
  }

  @inlinable
  func defined<T>(_ key: Name, _ scope: Scope, _ injectBlock: (Definition) -> T) -> T {
    if scope == .Prototype { return injectBlock(Definition(self, key, scope, in: nil)) }
    return ObjectGraph.container.withOwnResolution { graph in
      let publications = graph.publications
      let found = graph.published(named: key)
      // Two steps are needed: a cast would make a present optional of a missing object.
      if let found, let object = found as? T { return object }
      let definition = Definition(
        self, key, scope, in: graph, publications: found == nil ? publications : nil)
      return scope == .Singleton
        ? injectAlone(definition, injectBlock) : injectBlock(definition)
    }
  }
}
