// SPDX-License-Identifier: MIT

public import Corinth

extension Assembly {
  /// The singleton of a key, made by `initialize` if the singleton does not exist.
  @inlinable
  func singleton<T>(_ key: Name, _ initialize: () -> T) -> T {
    ObjectGraph.orStop {
      let found = try singletons.resolveOrBuild(Any.self, name: key) { initialize() }
      if let object = found as? T { return object }
      // A second definition uses the key for an object of a different type.
      return try singletons.resolveOrBuild(T.self, name: key, build: initialize)
    }
  }

  /// Runs the blocks of a singleton one after the other, since a block may write to an object that
  /// other threads have, too.
  @inlinable
  func injectAlone<T>(_ definition: Definition, _ injectBlock: (Definition) -> T) -> T {
    do {
      return try lock(for: T.self, definition.key).withLock { injectBlock(definition) }
    } catch {
      return object(definition, insteadOf: error, injectBlock)
    }
  }

  @inlinable
  func lock<T>(for type: T.Type, _ key: Name) throws -> ConstructionLock {
    try singletons.resolveOrBuild(name: key) {
      ConstructionLock(for: type, name: key, in: singletons)
    }
  }

  /// The object of a singleton whose block runs, and waits for the caller.
  ///
  /// The object in its current state, if already made: the block continues after the caller.
  /// Otherwise the block has not made the object yet, and a nested run of the block makes the
  /// object.
  @inlinable
  func object<T>(
    _ definition: Definition, insteadOf error: any Error, _ injectBlock: (Definition) -> T
  ) -> T {
    guard case ResolutionError.circularDependencyDetected = error, let graph = definition.graph
    else { ObjectGraph.stop(error) }
    let found = ObjectGraph.orStop {
      try singletons.resolveIfRegistered(Any.self, name: definition.key)
    }
    if let found, let object = found as? T { return object }
    let nesting = graph.instance(of: Nesting.self, name: definition.key)?.depth ?? 0
    if nesting == Nesting.limit { ObjectGraph.stop(error) }
    graph.publish(Nesting(depth: nesting + 1), name: definition.key)
    return injectBlock(definition)
  }
}

/// The depth to which the block of a singleton runs nested in itself.
@usableFromInline
struct Nesting {
  @usableFromInline static let limit = 16
  @usableFromInline let depth: Int

  @usableFromInline
  init(depth: Int) {
    self.depth = depth
  }
}
